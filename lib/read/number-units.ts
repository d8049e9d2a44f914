/**
 * Words for thousands and millions with their values: lower case, without a final dot, longest first. NaN for a word
 * with two meanings.
 */
export type NumberUnits = readonly (readonly [word: string, value: number])[];

/** Understood in every language that does not give the letter another meaning, as Indonesian does with `M`. */
const anywhere: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/** In use, but missing from the Unicode data of the language. */
const further: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  de: { tsd: 1e3 },
  en: { mn: 1e6, bn: 1e9, lac: 1e5, lakh: 1e5, lakhs: 1e5, cr: 1e7, crore: 1e7, crores: 1e7 },
  ms: { jt: 1e6 },
};

const unitKey = (word: string) =>
  word
    .normalize()
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.॰]$/, '')
    .toLowerCase();

/** Returns the units of a language from the Unicode data, short and long, in the forms for one, two and five. */
function standardUnits(language: string): Map<string, number> {
  const units = new Map<string, number>();
  for (const compactDisplay of ['short', 'long'] as const) {
    const options = {
      notation: 'compact',
      compactDisplay,
      numberingSystem: 'latn',
      useGrouping: false,
    } as const;
    const format = new Intl.NumberFormat(language, options);
    for (let power = 1e3; power <= 1e12; power *= 10) {
      for (const value of [power, 2 * power, 5 * power]) {
        const parts = format.formatToParts(value);
        const integer = parts.findIndex((part) => part.type === 'integer');
        // A language whose units precede the digits (Swahili “elfu 12”) has none that can be read.
        const word = parts.slice(integer).find((part) => part.type === 'compact')?.value;
        const number = Number(parts[integer]?.value);
        if (word === undefined || !(number > 0)) continue;
        const key = unitKey(word);
        units.set(key, (units.get(key) ?? value / number) === value / number ? value / number : Number.NaN);
      }
    }
  }
  return units;
}

const cache = new Map<string, NumberUnits>();

/** Returns a language's units by its tag. */
export function unitsOf(language: string): NumberUnits {
  const cached = cache.get(language);
  if (cached !== undefined) return cached;
  const [primary = ''] = language.split('-');
  const words = Object.entries({
    ...anywhere,
    ...further[primary],
    ...Object.fromEntries(standardUnits(language)),
  });
  const units = words.sort(([one], [other]) => other.length - one.length);
  cache.set(language, units);
  return units;
}
