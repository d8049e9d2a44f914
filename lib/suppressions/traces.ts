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
  '(?![\\p{L}\\p{N}_]|\\.[\\p{L}\\p{N}])',
];

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Characters that texts around a name write in other ways, too: JSON, the fields of a table, pages, addresses. */
const otherWays: Readonly<Record<string, string>> = {
  '"': '\\\\+"|""|&(?:quot|#34|#x22);',
  "'": '&(?:apos|#0?39|#x27);|%27',
  '&': '&(?:amp|#38|#x26);',
  '\\': '\\\\{2,}',
  İ: 'i\u0307',
};

/** A text, also where a page or JSON, in a page or not, has escapes in place of its characters. */
const inJson = (text: string) =>
  text.replace(/[^\p{ASCII}]|[\\^$.*+?()[\]{}|/"'&]/gu, (one) => {
    const ways = otherWays[one];
    if (ways === undefined && one < '\x80') return escaped(one);
    const codes = one.split('').map((unit) => `\\\\+u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `(?:${ways === undefined ? '' : `${ways}|`}${codes.join('')}|${escaped(one)})`;
  });

function pattern({ text }: Word): string {
  const forms = [...new Set([text, encodeURIComponent(text.toWellFormed())])];
  return forms
    .map((form) => {
      const [first = '', last = ''] = [form[0], form.at(-1)];
      // In addresses, letters stand right before the hexadecimal ID of a place.
      const edge = letter.test(first) && !form.startsWith('0x') ? before : '';
      return `${edge}${inJson(form)}${letter.test(last) ? after : ''}`;
    })
    .join('|');
}

/** The longest part that every database compares without regard to case, and that is written in one way alone. */
function asciiPart(text: string): string {
  const parts = text.match(/[^\P{ASCII}\p{Cc}"'&\\]+/gu) ?? [];
  return parts.sort((one, other) => other.length - one.length)[0]?.toLowerCase() ?? text;
}

/** Finds texts that name a subject, as whole words: by handle, ID, address or the name that pages show. */
export class Traces {
  /** Texts of which one stands, in lower case, in everything that names the subject. */
  readonly parts: readonly string[];
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
    this.parts = [...new Set(words.map(({ text }) => asciiPart(text)))];
    this.ids = words.filter(({ isExact }) => isExact).map(({ text }) => text);
  }

  /** Whether a text names the subject. */
  in(text: string | null | undefined): boolean {
    if (text == null) return false;
    return this.#named.test(text) || this.#exact?.test(text) === true;
  }
}
