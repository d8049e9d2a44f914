import { resolveReferences } from '../read/html-text.js';
import { type Subject, subjectKeys, subjectReader } from './subject.js';

/** A word by which texts name a subject. */
interface Word {
  readonly text: string;
  /** Upper and lower case make a difference: a code, not a name. */
  readonly isExact: boolean;
}

function wordOf(key: string): Word {
  const [, kind = '', rest = key] =
    /^(@|name:|cid\/|p\/|in\/|company\/|school\/|showcase\/)(.+)$/su.exec(key) ?? [];
  // A key in lower case has two characters for this capital, which no comparison takes for it.
  const text = rest.replaceAll('i\u0307', 'İ');
  return { text, isExact: kind === '' || kind === 'p/' || kind === 'cid/' };
}

const letter = /[\p{Lu}\p{Ll}\p{Lt}\p{N}_]/u;
/** Where a word begins and ends: behind an escape of JSON or of an address, too. Scripts without spaces have no such edges. */
const [before, after] = [
  '(?:(?<![\\p{L}\\p{N}_.])|(?<=\\\\[bfnrt])|(?<=\\\\u[\\da-fA-F]{4})|(?<=%[\\da-fA-F]{2}))',
  '(?![\\p{L}\\p{M}\\p{N}_]|\\.[\\p{L}\\p{N}])',
];
const spaces = '(?:[\\s+]|%20|%C2%A0|\\\\+(?:[nrt]|u00[2aA]0))+';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Characters that JSON, the fields of a table and addresses write in ways of their own. */
const otherWays: Readonly<Record<string, string>> = { '"': '\\\\+"|""|', "'": '%27|', '\\': '\\\\{2,}|' };

/** A character in either case as it stands, and as addresses and JSON, in a page or not, escape it. */
function waysOf(one: string): string {
  const cases = [...new Set([one, one.toLowerCase(), one.toUpperCase()])].map((text) => text.toWellFormed());
  const codes = cases.map((text) =>
    text.replace(/[^A-Za-z0-9]/g, (unit) => `\\\\+u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  const ways = new Set([...cases.map(escaped), ...cases.map(encodeURIComponent).map(escaped), ...codes]);
  return `(?:${otherWays[one] ?? ''}${[...ways].join('|')})`;
}

/** A letter as it is composed, with its marks apart, and with all but one of them apart. */
function formsOf(letter: string): readonly string[] {
  const [base = '', ...marks] = letter.normalize('NFD');
  const composed = marks.map((mark, at) => (base + mark).normalize('NFC') + marks.toSpliced(at, 1).join(''));
  return [...new Set([letter, base + marks.join(''), ...composed])];
}

/** A character in every form, each letter of a text in its own. */
const inAnyForm = (one: string): string =>
  `(?:${formsOf(one)
    .map((form) => form.replace(/[^\w-]/gu, waysOf))
    .join('|')})`;

/** A text, in whatever form and way each of its characters is written. */
function pattern({ text }: Word): string {
  const [first = '', last = ''] = [text[0], text.at(-1)];
  // In addresses, letters stand right before the hexadecimal ID of a place.
  const edge = letter.test(first) && !text.startsWith('0x') ? before : '';
  const named = text
    .normalize('NFC')
    .replace(/\s+|[^\w-]/gu, (one) => (/\s/.test(one) ? spaces : inAnyForm(one)));
  return `${edge}(?:${named})${letter.test(last) ? after : ''}`;
}

/** The parts that every database compares without regard to case, and that are written in one way alone. */
function asciiParts(text: string): readonly string[] {
  return text.match(/[\w.~-]+/g)?.map((part) => part.toLowerCase()) ?? [];
}

/** Finds texts that name a subject, as whole words: by handle, ID, address or the name that pages show. */
export class Traces {
  /**
   * Groups of texts: all of one group stand, in lower case, in everything that names the subject. A name without ASCII letters
   * has none, so that every text may name it: databases disagree about the capitals of other letters.
   */
  readonly parts: readonly (readonly string[])[];
  /** The platform's own IDs among them. */
  readonly ids: readonly string[];
  readonly #named: RegExp;
  readonly #exact: RegExp | null;

  constructor(subjects: readonly Subject[]) {
    const keys = subjects.flatMap((subject) => {
      const known = subjectKeys(subject);
      const more = known.flatMap((key) => subjectReader(subject.platform).spellings?.(key) ?? []);
      return [...known, ...more];
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

  /** Whether a text names the subject. */
  in(text: string | null | undefined): boolean {
    if (text == null) return false;
    if (this.#isIn(text)) return true;
    // A page may have references in place of any character.
    const plain = resolveReferences(text);
    return plain !== text && this.#isIn(plain);
  }

  #isIn(text: string): boolean {
    return this.#named.test(text) || this.#exact?.test(text) === true;
  }
}
