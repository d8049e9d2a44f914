import { type Digest, type DigestEntry, fitted } from '../digest.js';

const entryText = ({ label, title, url, details }: DigestEntry) =>
  [
    `${label}: ${title}`,
    ...details.map((detail) => `  ${detail}`),
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
