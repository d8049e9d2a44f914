import { urlOrNull } from '../../read/convert.js';
import { resolveReferences } from '../../read/html-text.js';
import { between } from '../../read/json.js';
import { maxCharacters, saveAddress } from './consent-wall.js';

function attribute(element: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(element);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? null : resolveReferences(value);
}

/**
 * Returns the fields of the page's own “reject all” form, or null. The page has several forms with one address. The
 * right one sets `set_eom` to true ("essential only"); the accepting one sets it to false and adds two other fields.
 */
export function rejectForm(html: string): URLSearchParams | null {
  if (html.length > maxCharacters) return null;
  for (let from = html.indexOf('<form'); from >= 0; from = html.indexOf('<form', from + 5)) {
    const form = between(html, '<form', '</form>', from);
    if (form === null) return null;
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
