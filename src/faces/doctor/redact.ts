import os from 'node:os';
import { withoutSecrets } from '../../output/log.js';

const patterns: readonly (readonly [RegExp, string])[] = [
  // Name and password in an address.
  [/([a-z][a-z\d+.-]*:\/\/)[^\s/@"']+@/gi, '$1***@'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 ***'],
  [/\b(sk|rk|pk)_(live|test)_\w+/g, '$1_$2_***'],
  // What a query carries under a name that says so.
  [/([?&](?:\w*token|\w*secret|api_?key|sig|signature|code)=)[^&\s"']+/gi, '$1***'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '***@***'],
];

/** A text without secrets: those that are known by their value, and what looks like one. People's addresses go too. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  // Longer ones first: one may hold another.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***');
  }
  clean = withoutSecrets(clean);
  for (const [pattern, instead] of patterns) clean = clean.replace(pattern, instead);
  // The home folder carries the name of a person.
  return clean.replaceAll(os.homedir(), '~');
}

/** The same for every text in a value. */
export function redactAll(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((one) => redactAll(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(name, secrets), redactAll(one, secrets)]),
  );
}
