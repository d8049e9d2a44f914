import { page } from '../page.js';
import type { Page, PageRequestByScript } from '../page-source.js';

/** A JSON string, from its opening quotation mark. */
const jsonText = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

function decoded(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    // The string belongs to a script of the page and ends elsewhere.
    return null;
  }
}

function* textsOf(document: string, begins: string): Generator<string> {
  for (let at = -1; ; ) {
    at = document.indexOf(`"${begins}`, at + 1);
    if (at < 0) return;
    // Inside another string: scanning each of these to its end would be quadratic.
    if (document[at - 1] === '\\') continue;
    jsonText.lastIndex = at;
    const text = decoded(jsonText.exec(document)?.[0] ?? '');
    if (text !== null) yield text;
  }
}

/**
 * Returns the first part of a list as embedded in the document: the longest string that matches, because pages also
 * repeat a shortened copy. Null if none matches.
 */
export function shownPart(document: Page, { from, embedded: marks }: PageRequestByScript): Page | null {
  if (from !== undefined || marks === undefined) return null;
  const [longest] = [...textsOf(document.text(), marks.begins)]
    .filter((text) => marks.carries.every((sign) => text.includes(sign)))
    .sort((one, other) => other.length - one.length);
  if (longest === undefined) return null;
  const headers = { ...document.headers, 'content-type': 'application/json; charset=utf-8' };
  return page(document.url, document.status, headers, Buffer.from(longest));
}
