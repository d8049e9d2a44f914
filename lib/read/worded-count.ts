import { latinDigits } from './latin-digits.js';
import { unitsOf } from './number-units.js';

/**
 * Counts in words: “5,750 followers”, “12,3 B takipçi”, “フォロワー1.2万人”. A number followed by an unknown word is null,
 * because the word may be a unit.
 */

/** The names of a counted thing: the start of the word, as a lower-case pattern, by language. */
export type CountedWords = Readonly<Record<string, string>>;

const inText = /\p{Nd}+(?:[.,'’٫٬]\p{Nd}+| \p{Nd}{3}(?!\p{Nd}))*/u;

/** One kind of space, lower case, without direction marks. */
const plainOf = (text: string) =>
  text
    .normalize()
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const groupedByThree = /^[1-9]\d{0,2}(?:([ .,'’٬])\d{3})(?:\1\d{3})*$/;
/** “12,34,567”, as India groups digits. */
const groupedByTwo = /^[1-9]\d?(?:,\d{2})+,\d{3}$/;

/** A number without a unit is whole, so every separator in it groups digits. */
function wholeNumber(number: string): number | null {
  if (/^\d+$/.test(number)) return Number(number);
  return groupedByThree.test(number) || groupedByTwo.test(number) ? Number(number.replace(/\D/g, '')) : null;
}

/** A number before a unit. Its last separator marks a fraction, unless it could also group its three digits. */
function fractional(number: string): number | null {
  const grouping = wholeNumber(number);
  if (grouping !== null) return /^\d+[.,]\d{3}$/.test(number) ? null : grouping;
  const [, integer = '', sign = '', fraction] = /^(.+)([.,٫])(\d+)$/.exec(number) ?? [];
  const value = integer.includes(sign) ? null : wholeNumber(integer);
  return value === null ? null : Number(`${value}.${fraction}`);
}

/** Words between a number and what it counts: counters of Chinese, Japanese and Korean, “de” and similar words. */
const filler = /^(?:[人名件](?:以上)?の?|以上の?|[位个個]|명의?|(?:de|di) |d['’])\s*/;

const withoutPlus = (text: string) => text.replace(/^\s*\+?\s*/, '');

type Pieces = readonly [before: string, number: string, after: string];

/** Longer than any text about a count. Each is compared with the words of forty languages. */
const maxLength = 4000;

function piecesOf(text: string): Pieces | null {
  if (text.length > maxLength) return null;
  const plain = plainOf(text);
  const match = inText.exec(plain);
  if (match === null) return null;
  const [run] = match;
  const number = latinDigits(run);
  return [plain.slice(0, match.index), number, plain.slice(match.index + run.length)];
}

/** Returns a count in one language; if the language is unknown, only a number without a unit. */
function countIn(language: string | null, [before, number, after]: Pieces, word?: string): number | null {
  const isBefore =
    word !== undefined && new RegExp(`(?:${word})\\p{L}{0,30}[\\s:：]{0,3}$`, 'u').test(before);
  if (!isBefore && (word === undefined ? before !== '' : /[^\s(|·•:：]$/.test(before))) return null;
  const beginning = new RegExp(`^(?:${word ?? '$'})`, 'u');
  const isCounted = (rest: string) =>
    [rest, rest.replace(filler, '')].some((end) => (isBefore && end === '') || beginning.test(end));
  const rest = withoutPlus(after);
  if (isCounted(rest)) return wholeNumber(number);
  if (language === null) return null;
  for (const [unit, value] of unitsOf(language)) {
    if (!rest.startsWith(unit) || !isCounted(withoutPlus(rest.slice(unit.length).replace(/^[.॰]/, ''))))
      continue;
    const amount = fractional(number);
    return amount === null ? null : Math.round(amount * value);
  }
  return null;
}

/** Returns the languages of `words` in which a text names the counted thing. */
function languagesOf(text: string, words: CountedWords): string[] {
  const plain = plainOf(text);
  return Object.keys(words).filter((language) => new RegExp(words[language] as string, 'u').test(plain));
}

/** Returns true for a text with a number that names the counted thing in any language. */
export const namesCounted = (text: string, words: CountedWords): boolean =>
  text.length <= maxLength && /\p{Nd}/u.test(text) && languagesOf(text, words).length > 0;

const primary = (tag: string) => tag.split('-')[0];

/**
 * Returns the first number of a text, expanded (“41M” is 41,000,000, “500+” is 500), or null. With `words`, the thing
 * must be named next to the number. Units have the meaning of the page's language if it uses the name; otherwise all
 * languages that use it must agree. Without `words` the text is only a number. `language` is null if unknown.
 */
export function wordedCount(
  text: string | null,
  language: string | null,
  words?: CountedWords,
): number | null {
  const pieces = text === null ? null : piecesOf(text);
  if (text === null || pieces === null) return null;
  const languages = words === undefined ? [] : languagesOf(text, words);
  const isPageLanguage = language !== null && languages.some((one) => primary(one) === primary(language));
  const counts =
    words === undefined
      ? [countIn(language, pieces)]
      : languages
          .filter((one) => !isPageLanguage || primary(one) === primary(language))
          .map((one) => countIn(isPageLanguage ? language : one, pieces, words[one]));
  const [count = null, ...others] = new Set(counts.filter((one) => one !== null));
  return others.length === 0 && Number.isSafeInteger(count) ? count : null;
}
