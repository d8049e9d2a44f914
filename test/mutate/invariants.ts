import type { Json } from '../../lib/read/json.js';

/** A broken invariant: its place and the value found there. */
export interface Breach {
  readonly kind: 'empty list' | 'foreign value' | 'twice' | 'not found' | 'crash';
  /** The field, `[]` for the items of a list. */
  readonly path: string;
  readonly what: string;
}

type Item = Readonly<Record<string, Json>>;

const isItem = (value: Json): value is Item =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Texts as people compare them: white space and an ellipsis at the end say nothing. */
const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s*(?:…|\.\.\.)$/, '')
    .trim();

/** The last step of an address, without what signs it or sizes it; of other text nothing. */
const lastStep = (text: string) => /^https?:.*\/([^/?#=]+)\/?(?:[?#=].*)?$/.exec(text)?.[1] ?? {};

/** A moment without its time. */
const dayOf = (text: string) => /^(\d{4}-\d{2}-\d{2}T)00:00:00\.000Z$/.exec(text)?.[1];

/** A less exact form of the same: a text cut short, a date without its day or time, an address of another size. */
function isSameText(full: string, actual: string): boolean {
  const [one, other] = [plain(full), dayOf(actual) ?? plain(actual)];
  return one === other || one.startsWith(other) || other.startsWith(one) || lastStep(one) === lastStep(other);
}

/** The same count, or the same as the page rounds it: “12.3K”. */
const isSameNumber = (full: number, actual: number) =>
  full === actual || (full >= 1000 && Math.abs(full - actual) <= full * 0.05);

/** True for an address in a field that the unchanged pages hold for the same thing, and for no other. */
export type IsHeld = (address: string, path: string) => boolean;

/** What `actual` holds that `full` does not, by path. Null is never a breach: it means unknown. */
function foreign(full: Json, actual: Json, path: string, breaches: Breach[], isHeld: IsHeld): void {
  if (actual === null) return;
  if (Array.isArray(actual)) {
    const fullList = Array.isArray(full) ? (full as readonly Json[]) : [];
    if (actual.length === 0 && fullList.length > 0)
      breaches.push({ kind: 'empty list', path, what: 'had items' });
    for (const item of actual as readonly Json[]) {
      const best = fullList
        .map((one) => breachesOf(one, item, isHeld, `${path}[]`))
        .sort((a, b) => a.length - b.length)[0];
      breaches.push(...(best ?? [{ kind: 'foreign value', path: `${path}[]`, what: JSON.stringify(item) }]));
    }
    return;
  }
  if (isItem(actual)) {
    for (const [key, value] of Object.entries(actual)) {
      foreign(
        isItem(full) ? (full[key] ?? null) : null,
        value,
        path === '' ? key : `${path}.${key}`,
        breaches,
        isHeld,
      );
    }
    return;
  }
  const isSame =
    actual === full ||
    (typeof actual === 'string' &&
      typeof full === 'string' &&
      (isSameText(full, actual) || isHeld(actual, path))) ||
    (typeof actual === 'number' && typeof full === 'number' && isSameNumber(full, actual));
  if (!isSame)
    breaches.push({
      kind: 'foreign value',
      path,
      what: `${JSON.stringify(full)} became ${JSON.stringify(actual)}`,
    });
}

/** Items of a list that come again. */
export function twiceIn(list: Json): number {
  if (!Array.isArray(list)) return 0;
  return list.length - new Set(list.map((item) => JSON.stringify(item))).size;
}

/** Returns the parts of an answer that break the invariants but do not in the answer of the unchanged pages. */
export function breachesOf(full: Json, actual: Json, isHeld: IsHeld, path = ''): Breach[] {
  const breaches: Breach[] = [];
  foreign(full, actual, path, breaches, isHeld);
  return breaches;
}
