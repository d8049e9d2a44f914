/** Counts below this are never rounded; above it pages round to three digits or more. */
const roundedFrom = 10_000;

/** True for a count that is the rounding of another: 12,300 for 12,345. */
function isRoundingOf(rounded: number, exact: number): boolean {
  if (!Number.isSafeInteger(rounded) || rounded < roundedFrom) return false;
  const zeros = /(?<!0)0*$/.exec(String(rounded))?.[0].length ?? 0;
  return zeros >= 2 && Math.abs(exact - rounded) < 10 ** zeros;
}

/** True for a text that breaks off where the other one goes on. */
function isCutFrom(cut: string, whole: string): boolean {
  const text = cut.replace(/(?<!\s)\s*(?:…|\.\.\.)$/, '');
  return text.length < whole.length && whole.startsWith(text);
}

/** Whether a value of a brief answer may be all that it says of the value that was known. */
export function saysLess(value: unknown, known: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'number' && typeof known === 'number') return isRoundingOf(value, known);
  if (typeof value === 'string' && typeof known === 'string') return isCutFrom(value, known);
  if (Array.isArray(value) && Array.isArray(known)) return value.length < known.length;
  if (typeof value !== 'object' || typeof known !== 'object' || known === null) return value === known;
  const inner = known as Readonly<Record<string, unknown>>;
  return Object.entries(value).every(([name, one]) => one === inner[name] || saysLess(one, inner[name]));
}
