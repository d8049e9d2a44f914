import os from 'node:os';
import { withoutSecrets } from '../../output/log.js';

const patterns: readonly (readonly [RegExp, string])[] = [
  [/:\/\/[^\s/@"']+@/g, '://***@'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 ***'],
  [/\b(sk|rk|pk)_(live|test)_\w+/g, '$1_$2_***'],
  [/([?&](?:\w*token|\w*secret|api_?key|sig|signature|code)=)[^&\s"']+/gi, '$1***'],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '***@***'],
];

const jsonText = String.raw`"(?:[^"\\]|\\.)*"`;
const object = String.raw`\{(?:[^"{}]|${jsonText})*\}`;
const list = String.raw`\[(?:[^"\[\]{}]|${jsonText}|${object})*\]`;

/** The forms in which saved pages contain cookies: header lines, JSON, HAR, curl options, scripts. */
const cookiePatterns: readonly (readonly [RegExp, string])[] = [
  [/^((?:set-)?cookie2?:[ \t]*)[^\r\n]+/gim, '$1***'],
  [/(["'](?:set-)?cookie2?:[ \t]*)[^"'\r\n]+/gi, '$1***'],
  [new RegExp(`("(?:set-)?cookies?"\\s*:\\s*)(?:${jsonText}|${list}|${object})`, 'gi'), '$1"***"'],
  [new RegExp(`("name"\\s*:\\s*"(?:set-)?cookie"\\s*,\\s*"value"\\s*:\\s*)${jsonText}`, 'gi'), '$1"***"'],
  [/(document\.cookie\s*=\s*)("[^"\r\n]*"|'[^'\r\n]*'|`[^`]*`)/g, "$1'***'"],
];

/** Removes the user's cookies from a saved page, or from a file next to it. */
export function withoutCookies(text: string): string {
  return cookiePatterns.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}

/** Removes known secrets, anything that looks like one, and personal addresses. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  // Longer ones first, because one may contain another.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***');
  }
  clean = withoutSecrets(clean);
  for (const [pattern, instead] of patterns) clean = clean.replace(pattern, instead);
  // The home folder contains a person's name. A user without one has the root, which stays.
  const home = os.homedir();
  return home.length > 1 ? clean.replaceAll(home, '~') : clean;
}

export function redactAll(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((one) => redactAll(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(name, secrets), redactAll(one, secrets)]),
  );
}
