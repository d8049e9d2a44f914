import { latinDigits } from '../../read/latin-digits.js';

/** Dates as pages word them: a year, or a month and a year in the page's language. */
type Months = ReadonlyMap<string, number>;

const known = new Map<string, Months>();

const normalized = (word: string) => word.toLowerCase().replace(/[.\s]+/g, '');

/** Names of the months in a language, long and short, alone and with a year. */
function monthsOf(language: string): Months {
  const cached = known.get(language);
  if (cached !== undefined) return cached;
  const months = new Map<string, number>();
  for (const month of ['short', 'long'] as const) {
    for (const options of [{ month }, { month, year: 'numeric' }, { month, day: 'numeric' }] as const) {
      const format = new Intl.DateTimeFormat(language, { ...options, calendar: 'gregory', timeZone: 'UTC' });
      for (let index = 0; index < 12; index += 1) {
        const parts = format.formatToParts(Date.UTC(2024, index, 1));
        const name = parts.find((part) => part.type === 'month')?.value;
        if (name !== undefined) months.set(normalized(name), index + 1);
      }
    }
  }
  known.set(language, months);
  return months;
}

/** A language that dates can be worded in; English for a tag that is none. */
export function languageOf(tag: string | null): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf((tag ?? 'en').replace('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/**
 * A worded date → "2014" or "2014-02", as precise as it is; null where there is no year in it. The month is looked for
 * among the page's language's names and the English ones. One that is not known is left out.
 */
export function wordedDate(words: string | null, language: string): string | null {
  if (words === null) return null;
  const text = latinDigits(words);
  const year = /(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(text);
  if (year === null) return null;
  const rest = `${text.slice(0, year.index)} ${text.slice(year.index + 4)}`;
  const numbers = rest.match(/(?<!\d)\d{1,2}(?!\d)/g) ?? [];
  const plain = rest.replace(/(?:^|\s)(?:de|of|di|do|năm|[гр]\.)(?:\s|$)/giu, ' ');
  const named = (name: string) => monthsOf('en').get(name) ?? monthsOf(language).get(name);
  const letters = plain.replace(/[^\p{L}\p{M}]+/gu, '');
  // The number beside a word is a day, and which of two numbers is the month depends on who wrote them.
  const numbered =
    numbers.length === 1 && /^(?:[年月년월]|tháng)*$/.test(letters) ? Number(numbers[0]) : undefined;
  const month =
    letters === ''
      ? numbered
      : (named(normalized(plain)) ?? named(normalized(plain.replace(/[\d,،]+/g, ' '))) ?? numbered);
  if (month === undefined || month < 1 || month > 12) return year[0];
  return `${year[0]}-${String(month).padStart(2, '0')}`;
}

/** A date of JSON-LD → the same form: a year as a number, "YYYY" or "YYYY-MM" (a day is left out). */
export function statedDate(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  return /^(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2]))?(?=-\d{2}|T|$)/.exec(text)?.[0] ?? null;
}
