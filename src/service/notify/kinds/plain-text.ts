import { type Digest, type DigestEntry, fitted } from '../digest.js';

/** Inserts zero-width spaces into the addresses of a page's text, so that no program turns them into links. */
const unlinked = (text: string) =>
  text.replace(/:(?=\/\/)|@|\.(?=\p{L})|(?<=\b(?:mailto|tel)):/giu, '$&\u200b');

const entryText = ({ label, title, url, details }: DigestEntry) =>
  [
    `${label}: ${unlinked(title)}`,
    ...details.map((detail) => `  ${unlinked(detail)}`),
    ...(url === null ? [] : [`  ${url}`]),
  ].join('\n');

/** Formats a digest as plain text of at most `max` characters. */
export function plainText(digest: Digest, max: number): string {
  const { texts, more } = fitted(digest, entryText, { max: max - 600 });
  const end = [more, digest.link === null ? null : `All items: ${digest.link}`, ...digest.remarks];
  return [...texts, end.filter((line) => line !== null).join('\n')]
    .filter((text) => text !== '')
    .join('\n\n');
}
