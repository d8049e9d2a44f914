import { between, parseJson } from '../../read/json.js';
import { orNull } from '../../subject-reader.js';

/**
 * Returns a value that a page passes to its scripts: `<code id="…"><!--"…"--></code>`, JSON inside a comment. Null if
 * the page has none of that name: scripts remove some of them after use.
 */
export function codeIn(html: string, id: string): unknown {
  for (const quoted of [`id="${id}"`, `id='${id}'`]) {
    const at = html.indexOf(quoted);
    if (at < 0 || !html.startsWith('<code', html.lastIndexOf('<', at))) continue;
    return orNull(() => parseJson(between(html, '<!--', '-->', at) ?? '', 'A value of the page'));
  }
  return null;
}
