import type { Kind } from './config-values.js';
import { ExtractError } from './errors/extract-error.js';

const invalid = (name: string, must: string) =>
  new ExtractError('invalid_parameter', `The setting ${name} must be ${must}.`);

/** The boolean that a text means; undefined for a text that means none. */
export function booleanOf(word: string): boolean | undefined {
  const lower = word.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(lower)) return true;
  return ['false', '0', 'no', 'off'].includes(lower) ? false : undefined;
}

/** The parts of a text between commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A proxy's address without the name and password it may carry. */
export function withoutCredentials(given: string | undefined): string | null {
  const at = given?.lastIndexOf('@') ?? -1;
  if (given === undefined || at < 0) return given ?? null;
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(given)?.[0] ?? '';
  return `${scheme}***@${given.slice(at + 1)}`;
}

function credentialsOf(given: string): string[] {
  const url = given.includes('://') ? given : `http://${given}`;
  if (!URL.canParse(url)) return [given];
  const { username, password } = new URL(url);
  return [username, password].flatMap((part) => {
    try {
      return [part, decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });
}

export const text: Kind<string> = { parse: (given) => given };

export const file: Kind<string> = { ...text, isFile: true };

export const secret: Kind<string> = { ...text, show: () => '***', secrets: (given) => [given] };

/** The name and password that an address may carry are secrets. */
export const credentials = { secrets: credentialsOf };

/** An address that may carry a name and password. */
export const address: Kind<string> = { ...text, ...credentials, show: withoutCredentials };

export const boolean: Kind<boolean> = {
  parse(given, name) {
    const value = booleanOf(given);
    if (value === undefined) throw invalid(name, 'true or false');
    return value;
  },
};

/** A whole number of at most nine digits. */
export const wholeNumber = (min: number): Kind<number> => ({
  parse(given, name) {
    if (/^\d{1,9}$/.test(given) && Number(given) >= min) return Number(given);
    throw invalid(name, `a whole number from ${min} up`);
  },
});

/** One of some words, in capitals or not. `must` ends the sentence that refuses another. */
export const oneOf = <Word extends string>(words: readonly Word[], must: string): Kind<Word> => ({
  parse(given, name) {
    const word = words.find((one) => one === given.toLowerCase());
    if (word === undefined) throw invalid(name, must);
    return word;
  },
});

/** Parts between commas. */
export const list: Kind<readonly string[]> = {
  parse: splitList,
  show: (parts) => parts.join(',') || null,
};
