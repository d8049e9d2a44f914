/** Counts below this are never rounded; from here on pages round to three digits or more. */
const roundedFrom = 10_000;

function isRoundingOf(rounded: number, exact: number): boolean {
  if (!Number.isSafeInteger(rounded) || rounded < roundedFrom) return false;
  const zeros = /(?<!0)0*$/.exec(String(rounded))?.[0].length ?? 0;
  return zeros >= 2 && Math.abs(exact - rounded) < 10 ** zeros;
}

function isCutFrom(cut: string, full: string): boolean {
  const text = cut.replace(/(?<!\s)\s*(?:…|\.\.\.)$/, '');
  return text.length < full.length && full.startsWith(text);
}

/** True if a value of a brief answer may be a lesser form of the known value. */
export function saysLess(value: unknown, earlier: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'number' && typeof earlier === 'number') return isRoundingOf(value, earlier);
  if (typeof value === 'string' && typeof earlier === 'string') return isCutFrom(value, earlier);
  if (Array.isArray(value) && Array.isArray(earlier)) return value.length < earlier.length;
  if (typeof value !== 'object' || typeof earlier !== 'object' || earlier === null) return value === earlier;
  const inner = earlier as Readonly<Record<string, unknown>>;
  return Object.entries(value).every(([name, one]) => one === inner[name] || saysLess(one, inner[name]));
}
