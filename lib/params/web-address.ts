/** Characters around a URL in a text: quotes, brackets, and trailing punctuation. */
const before = /^[<([{"'“‘«`*]+/;
const marks = '[<>()[\\]{}"\'”’»`*,;:.!?…、。，；]';
const after = new RegExp(`(?<!${marks})${marks}+$`);

/** The mark of a URL that a program has shortened for display. */
const ellipsis = '…';
const endsCutOff = /^(?:…|\.{3})/;

/** Returns the URL without what surrounds it, with an ellipsis if it was cut off. */
function bare(text: string): string {
  const address = text.replace(before, '');
  return address.replace(after, (tail) => (endsCutOff.test(tail) ? ellipsis : ''));
}

/** Returns true if the only URL in user input was cut off by the program that it was copied from. */
export const isCutOff = (text: string) => addressesIn(text)[0]?.endsWith(ellipsis) === true;

/** Invisible characters that are copied along: direction marks, joiners, byte order marks. */
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

const scheme = /(?<![^\s<>([{"'“‘«`*,;|])https?:\/\//gi;
const withoutScheme = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#]|$)/i;

/** Separates a URL from a following host. */
const nextHost = /[,;|](?=(?:[a-z\d-]+\.)+[a-z]{2,}\/)/i;

/** Splits URLs joined by commas; a query may contain anything. */
function listed(text: string): readonly string[] {
  const [path = ''] = text.split(/[?#]/, 1);
  const parts = path.split(nextHost);
  return parts.length > 1 ? parts : [text];
}

/** Returns the URLs in user input: a single one, one inside a sentence, with or without a scheme, or several. */
export function addressesIn(text: string): readonly string[] {
  const plain = text.trim().replace(invisible, '');
  const starts = [...plain.matchAll(scheme)].map(({ index }) => index);
  const addresses = starts.map(
    (start, at) => /^[^\s<>"”»]+/.exec(plain.slice(start, starts[at + 1]))?.[0] ?? '',
  );
  const rest = addresses.reduce((text, part) => text.replace(part, ' '), plain);
  const others = rest
    .split(/[\s|]+/)
    .flatMap((part) => part.split(nextHost))
    .filter((part) => withoutScheme.test(part.replace(before, '')))
    // Next to a URL with a scheme, a word with a dot is not a URL.
    .filter((part) => addresses.length === 0 || part.includes('/'));
  return [...new Set([...addresses.flatMap(listed), ...others].map(bare))];
}

/** Returns the only web address in user input; null for any other text, one that is cut off, or one with a password. */
export function parseWebAddress(text: string): URL | null {
  const [first, second] = addressesIn(text);
  if (first === undefined || second !== undefined || first.endsWith(ellipsis)) return null;
  const address = /^https?:/i.test(first) ? first : `https://${first}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.username === '' && url.password === '' ? url : null;
}
