import { invalidParameter } from '../errors/extract-error.js';

/** The query string of a request, as it was sent. */
export function queryText({
  raw: { url = '' },
}: {
  readonly raw: { readonly url?: string | undefined };
}): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter('The query string is not percent-encoded UTF-8.');
  }
}

/**
 * Parses a query string into names and texts. Stricter than browsers, because an ambiguous value would be requested and
 * charged as something else. Throws `invalid_parameter` for broken encoding and for a repeated name.
 */
export function parseQuery(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decodeText(equals < 0 ? part : part.slice(0, equals));
    if (name in values) {
      throw invalidParameter(`The parameter ${JSON.stringify(name.slice(0, 80))} is repeated.`);
    }
    values[name] = equals < 0 ? '' : decodeText(part.slice(equals + 1));
  }
  return values;
}
