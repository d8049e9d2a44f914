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
function isSameText(whole: string, got: string): boolean {
  const [one, other] = [plain(whole), dayOf(got) ?? plain(got)];
  return one === other || one.startsWith(other) || other.startsWith(one) || lastStep(one) === lastStep(other);
}

/** The same count, or the same as the page rounds it: “12.3K”. */
const isSameNumber = (whole: number, got: number) =>
  whole === got || (whole >= 1000 && Math.abs(whole - got) <= whole * 0.05);

/** True for an address in a field that the unchanged pages hold for the same thing, and for no other. */
export type IsHeld = (address: string, path: string) => boolean;

/** What `got` holds that `whole` does not, by path. Null is never a breach: it means unknown. */
function foreign(whole: Json, got: Json, path: string, found: Breach[], isHeld: IsHeld): void {
  if (got === null) return;
  if (Array.isArray(got)) {
    const known = Array.isArray(whole) ? (whole as readonly Json[]) : [];
    if (got.length === 0 && known.length > 0) found.push({ kind: 'empty list', path, what: 'had items' });
    for (const item of got as readonly Json[]) {
      const best = known
        .map((one) => breachesOf(one, item, isHeld, `${path}[]`))
        .sort((a, b) => a.length - b.length)[0];
      found.push(...(best ?? [{ kind: 'foreign value', path: `${path}[]`, what: JSON.stringify(item) }]));
    }
    return;
  }
  if (isItem(got)) {
    for (const [key, value] of Object.entries(got)) {
      foreign(
        isItem(whole) ? (whole[key] ?? null) : null,
        value,
        path === '' ? key : `${path}.${key}`,
        found,
        isHeld,
      );
    }
    return;
  }
  const isSame =
    got === whole ||
    (typeof got === 'string' && typeof whole === 'string' && (isSameText(whole, got) || isHeld(got, path))) ||
    (typeof got === 'number' && typeof whole === 'number' && isSameNumber(whole, got));
  if (!isSame)
    found.push({
      kind: 'foreign value',
      path,
      what: `${JSON.stringify(whole)} became ${JSON.stringify(got)}`,
    });
}

/** Items of a list that come again. */
export function twiceIn(list: Json): number {
  if (!Array.isArray(list)) return 0;
  return list.length - new Set(list.map((item) => JSON.stringify(item))).size;
}

/** Returns the parts of an answer that break the invariants but do not in the answer of the unchanged pages. */
export function breachesOf(whole: Json, got: Json, isHeld: IsHeld, path = ''): Breach[] {
  const found: Breach[] = [];
  foreign(whole, got, path, found, isHeld);
  return found;
}
