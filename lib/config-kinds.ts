import type { Kind } from './config-values.js';
import { invalidParameter } from './errors/extract-error.js';

const invalid = (name: string, must: string) => invalidParameter(`The setting ${name} must be ${must}.`);

/** Returns the boolean that a text means; undefined if none. */
export function booleanOf(word: string): boolean | undefined {
  const lower = word.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(lower)) return true;
  return ['false', '0', 'no', 'off'].includes(lower) ? false : undefined;
}

/** Splits a text at commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns a proxy's address without name and password. */
export function withoutCredentials(address: string | undefined): string | null {
  const at = address?.lastIndexOf('@') ?? -1;
  if (address === undefined || at < 0) return address ?? null;
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(address)?.[0] ?? '';
  return `${scheme}***@${address.slice(at + 1)}`;
}

function credentialsOf(address: string): string[] {
  const url = address.includes('://') ? address : `http://${address}`;
  if (!URL.canParse(url)) return [address];
  const { username, password } = new URL(url);
  return [username, password].flatMap((part) => {
    try {
      return [part, decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });
}

export const text: Kind<string> = { parse: (value) => value };

export const file: Kind<string> = { ...text, isFile: true };

export const secret: Kind<string> = { ...text, show: () => '***', secrets: (value) => [value] };

export const credentials = { secrets: credentialsOf };

/** An address that may contain a name and password. */
export const address: Kind<string> = { ...text, ...credentials, show: withoutCredentials };

export const boolean: Kind<boolean> = {
  parse(option, name) {
    const value = booleanOf(option);
    if (value === undefined) throw invalid(name, 'true or false');
    return value;
  },
};

/** A whole number of at most nine digits. */
export const wholeNumber = (min: number): Kind<number> => ({
  parse(value, name) {
    if (/^\d{1,9}$/.test(value) && Number(value) >= min) return Number(value);
    throw invalid(name, `a whole number from ${min} up`);
  },
});

/** One of some words, in any case. `must` ends the error message. */
export const oneOf = <Word extends string>(words: readonly Word[], must: string): Kind<Word> => ({
  parse(value, name) {
    const word = words.find((one) => one === value.toLowerCase());
    if (word === undefined) throw invalid(name, must);
    return word;
  },
});

export const list: Kind<readonly string[]> = {
  parse: splitList,
  show: (parts) => parts.join(',') || null,
};
