import { page } from '../page.js';
import type { Page, PageRequestByScript } from '../page-source.js';

/** A JSON text, from its quotation mark on. */
const jsonText = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

function decoded(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    // It is a text of the page's scripts, and ends elsewhere.
    return null;
  }
}

/** Each text of a document that begins so. */
function* textsOf(document: string, begins: string): Generator<string> {
  for (let at = -1; ; ) {
    at = document.indexOf(`"${begins}`, at + 1);
    if (at < 0) return;
    // Within a text, whose end each of them would look for.
    if (document[at - 1] === '\\') continue;
    jsonText.lastIndex = at;
    const text = decoded(jsonText.exec(document)?.[0] ?? '');
    if (text !== null) yield text;
  }
}

/**
 * The first part of a list as the document itself holds it. It is the longest text of those that fit, as pages repeat in
 * short what was asked for. Null where there is none.
 */
export function shownPart(document: Page, { from, shown }: PageRequestByScript): Page | null {
  if (from !== undefined || shown === undefined) return null;
  const [longest] = [...textsOf(document.text(), shown.begins)]
    .filter((text) => shown.carries.every((sign) => text.includes(sign)))
    .sort((one, other) => other.length - one.length);
  if (longest === undefined) return null;
  const headers = { ...document.headers, 'content-type': 'application/json; charset=utf-8' };
  return page(document.url, document.status, headers, Buffer.from(longest));
}
