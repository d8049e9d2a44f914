import { resolveReferences } from '../read/html-text.js';
import { type Subject, subjectKeys, subjectReader } from './subject.js';

/** A word by which texts name a subject. */
interface Word {
  readonly text: string;
  /** True if case matters: a code, not a name. */
  readonly isExact: boolean;
}

function wordOf(key: string): Word {
  const [, kind = '', rest = key] =
    /^(@|name:|cid\/|p\/|in\/|company\/|school\/|showcase\/)(.+)$/su.exec(key) ?? [];
  // A lower-case key has two characters for this capital, which no comparison treats as equal.
  const text = rest.replaceAll('i\u0307', 'İ');
  return { text, isExact: kind === '' || kind === 'p/' || kind === 'cid/' };
}

const letter = /[\p{Lu}\p{Ll}\p{Lt}\p{N}_]/u;
/**
 * The start and end of a word, including after an escape of JSON or of an address. Scripts without spaces have no such
 * boundaries.
 */
const [before, after] = [
  '(?:(?<![\\p{L}\\p{N}_.])|(?<=\\\\[bfnrt])|(?<=\\\\u[\\da-fA-F]{4})|(?<=%[\\da-fA-F]{2}))',
  '(?![\\p{L}\\p{M}\\p{N}_]|\\.[\\p{L}\\p{N}])',
];
const spaces = '(?:[\\s+]|%20|%C2%A0|\\\\+(?:[nrt]|u00[2aA]0))+';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Characters that JSON, fields of a table and addresses escape in their own ways. */
const otherWays: Readonly<Record<string, string>> = { '"': '\\\\+"|""|', "'": '%27|', '\\': '\\\\{2,}|' };

function waysOf(one: string): string {
  const cases = [...new Set([one, one.toLowerCase(), one.toUpperCase()])].map((text) => text.toWellFormed());
  const codes = cases.map((text) =>
    text.replace(/[^A-Za-z0-9]/g, (unit) => `\\\\+u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  const ways = new Set([...cases.map(escaped), ...cases.map(encodeURIComponent).map(escaped), ...codes]);
  return `(?:${otherWays[one] ?? ''}${[...ways].join('|')})`;
}

function formsOf(letter: string): readonly string[] {
  const [base = '', ...marks] = letter.normalize('NFD');
  const composed = marks.map((mark, at) => (base + mark).normalize('NFC') + marks.toSpliced(at, 1).join(''));
  return [...new Set([letter, base + marks.join(''), ...composed])];
}

/** Each letter of a text may have a different form. */
const inAnyForm = (one: string): string =>
  `(?:${formsOf(one)
    .map((form) => form.replace(/[^\w-]/gu, waysOf))
    .join('|')})`;

function pattern({ text }: Word): string {
  const [first = '', last = ''] = [text[0], text.at(-1)];
  // In addresses, letters directly precede the hexadecimal ID of a place.
  const edge = letter.test(first) && !text.startsWith('0x') ? before : '';
  const matches = text
    .normalize('NFC')
    .replace(/\s+|[^\w-]/gu, (one) => (/\s/.test(one) ? spaces : inAnyForm(one)));
  return `${edge}(?:${matches})${letter.test(last) ? after : ''}`;
}

/** Returns the parts that every database compares case-insensitively and that have only one spelling. */
function asciiParts(text: string): readonly string[] {
  return text.match(/[\w.~-]+/g)?.map((part) => part.toLowerCase()) ?? [];
}

/** Finds texts that name a subject, as whole words: by handle, ID, address or the name that pages show. */
export class Traces {
  /**
   * Groups of texts. Everything that names the subject contains, in lower case, all texts of at least one group. A name
   * without ASCII letters has no texts, so any text may name it, because databases disagree about the capitals of other
   * letters.
   */
  readonly parts: readonly (readonly string[])[];
  /** The platform's own IDs among the words. */
  readonly ids: readonly string[];
  readonly #named: RegExp;
  readonly #exact: RegExp | null;

  constructor(subjects: readonly Subject[]) {
    const keys = subjects.flatMap((subject) => {
      const keys = subjectKeys(subject);
      const more = keys.flatMap((key) => subjectReader(subject.platform).spellings?.(key) ?? []);
      return [...keys, ...more];
    });
    const words = keys.map(wordOf);
    const regExp = (some: readonly Word[], flags: string) =>
      some.length === 0 ? null : new RegExp(some.map(pattern).join('|'), flags);
    this.#named =
      regExp(
        words.filter(({ isExact }) => !isExact),
        'iu',
      ) ?? /(?!)/;
    this.#exact = regExp(
      words.filter(({ isExact }) => isExact),
      'u',
    );
    this.parts = words.map(({ text }) => asciiParts(text));
    this.ids = words.filter(({ isExact }) => isExact).map(({ text }) => text);
  }

  in(text: string | null | undefined): boolean {
    if (text == null) return false;
    if (this.#isIn(text)) return true;
    // A page may have character references for any character.
    const plain = resolveReferences(text);
    return plain !== text && this.#isIn(plain);
  }

  #isIn(text: string): boolean {
    return this.#named.test(text) || this.#exact?.test(text) === true;
  }
}
