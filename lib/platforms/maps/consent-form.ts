import { urlOrNull } from '../../read/convert.js';
import { resolveReferences } from '../../read/html-text.js';
import { maxCharacters, saveAddress } from './consent-wall.js';

function attribute(element: string, name: string): string | null {
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(element);
  const value = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3];
  return value === undefined ? null : resolveReferences(value);
}

/**
 * Returns the fields of the page's own “reject all” form, or null. The page has several forms with one address. The
 * right one sets `set_eom` to true ("essential only"); the accepting one sets it to false and adds two other fields.
 */
export function rejectForm(html: string): URLSearchParams | null {
  if (html.length > maxCharacters) return null;
  for (const part of html.split('<form').slice(1)) {
    const end = part.indexOf('</form>');
    if (end < 0) continue;
    const form = part.slice(0, end);
    const action = attribute(form.slice(0, form.indexOf('>') + 1), 'action');
    if (urlOrNull(action, saveAddress) !== saveAddress) continue;
    const fields = new URLSearchParams();
    for (const [input] of form.matchAll(/<input\s[^<>]*>/gi)) {
      const name = attribute(input, 'name');
      if (name !== null) fields.append(name, attribute(input, 'value') ?? '');
    }
    if (fields.get('set_eom') === 'true') return fields;
  }
  return null;
}
