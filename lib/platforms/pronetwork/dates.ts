import { latinDigits } from '../../read/latin-digits.js';

/** Dates as pages word them: a year, or a month and a year in the page's language. */
type Months = ReadonlyMap<string, number>;

const cache = new Map<string, Months>();

const normalized = (word: string) => word.toLowerCase().replace(/[.\s]+/g, '');

/** Returns the names of the months in a language, long and short, alone and with a year. */
function monthsOf(language: string): Months {
  const cached = cache.get(language);
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
  cache.set(language, months);
  return months;
}

/** Returns a language that dates can be parsed in; English for an invalid tag. */
export function languageOf(tag: string | null): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf((tag ?? 'en').replace('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/**
 * Parses a worded date to "2014" or "2014-02", depending on its precision; null without a year. The month is matched
 * against the page's language and English; an unknown month is omitted.
 */
export function wordedDate(words: string | null, language: string): string | null {
  if (words === null) return null;
  const text = latinDigits(words);
  const year = /(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(text);
  if (year === null) return null;
  const rest = `${text.slice(0, year.index)} ${text.slice(year.index + 4)}`;
  const numbers = rest.match(/(?<!\d)\d{1,2}(?!\d)/g) ?? [];
  const plain = rest.replace(/(?:^|\s)(?:de|of|di|do|năm|[гр]\.)(?:\s|$)/giu, ' ');
  const monthOf = (name: string) => monthsOf('en').get(name) ?? monthsOf(language).get(name);
  const letters = plain.replace(/[^\p{L}\p{M}]+/gu, '');
  // A number next to a month name is a day. Of two numbers, the month depends on the writer.
  const numbered =
    numbers.length === 1 && /^(?:[年月년월]|tháng)*$/.test(letters) ? Number(numbers[0]) : undefined;
  const month =
    letters === ''
      ? numbered
      : (monthOf(normalized(plain)) ?? monthOf(normalized(plain.replace(/[\d,،]+/g, ' '))) ?? numbered);
  if (month === undefined || month < 1 || month > 12) return year[0];
  return `${year[0]}-${String(month).padStart(2, '0')}`;
}

/** Normalises a JSON-LD date: a year as a number, "YYYY" or "YYYY-MM" (days are dropped). */
export function statedDate(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  return /^(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2]))?(?=-\d{2}|T|$)/.exec(text)?.[0] ?? null;
}
