import { type Digest, type DigestEntry, fitted } from '../digest.js';

/**
 * A text of a page in which no program finds an address to make a link of: a space of no width follows what such
 * addresses have in the middle.
 */
const unlinked = (text: string) =>
  text.replace(/:(?=\/\/)|@|\.(?=\p{L})|(?<=\b(?:mailto|tel)):/giu, '$&\u200b');

const entryText = ({ label, title, url, details }: DigestEntry) =>
  [
    `${label}: ${unlinked(title)}`,
    ...details.map((detail) => `  ${unlinked(detail)}`),
    ...(url === null ? [] : [`  ${url}`]),
  ].join('\n');

/** A digest as plain text of so many characters at most. */
export function plainText(digest: Digest, max: number): string {
  const { texts, more } = fitted(digest, entryText, { max: max - 600 });
  const end = [more, digest.link === null ? null : `All of them: ${digest.link}`, ...digest.remarks];
  return [...texts, end.filter((line) => line !== null).join('\n')]
    .filter((text) => text !== '')
    .join('\n\n');
}
