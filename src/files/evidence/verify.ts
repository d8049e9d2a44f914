import { LRUCache } from 'lru-cache';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type Derived, derive } from './derive.js';
import { type Difference, differences } from './differences.js';
import type { EvidenceReader } from './evidence-reader.js';
import type { ResultLine } from './result-line.js';

/**
 * The result of verifying a line. `missing`: the archive lacks its pages. `unread`: the line is an error that occurred
 * before a page was read.
 */
export type Verdict = 'equal' | 'differs' | 'missing' | 'unread';

export interface LineVerdict {
  readonly line: number;
  readonly status: Verdict;
  readonly differences: readonly Difference[];
  /** An explanation, if there is one. */
  readonly note: string | null;
}

/** The items of a list may be in consecutive lines, so some readings stay cached. */
const maxAtHand = 8;

/** Compares lines of results with an archive, as this version reads it. */
export class Verification {
  readonly #archive: EvidenceReader;
  readonly #endpoints: readonly Endpoint[];
  readonly #atHand = new LRUCache<string, Derived>({ max: maxAtHand });

  constructor(archive: EvidenceReader, endpoints: readonly Endpoint[]) {
    this.#archive = archive;
    this.#endpoints = endpoints;
  }

  /** Throws `invalid_parameter` if the archive contradicts itself. */
  async verify(line: number, result: ResultLine): Promise<LineVerdict> {
    const { error, entries, data, records } = result;
    if (error !== null) return this.#verifyError(line, error, records);
    if (entries.length === 0) return this.#verifyWhole(line, data, records);
    const list: Difference[] = [];
    const counts = new Map<Derived, number>();
    for (const { field, item, source } of entries) {
      const id = (source?.records as readonly string[] | undefined)?.[0];
      const derived = id === undefined ? null : await this.#derived(id);
      if (derived === null) return missing(line, id);
      if (derived.error !== null) {
        list.push({ field, was: item, now: `error ${derived.error.code}` });
        continue;
      }
      const at = Number(source?.position) - derived.from;
      list.push(...differences(field, item, derived.items[at]));
      list.push(...differences(field.replace('data', 'sources'), source, derived.sources[at]));
      counts.set(derived, (counts.get(derived) ?? 0) + 1);
    }
    const all = [...counts.keys()].reduce((sum, { items }) => sum + items.length, 0);
    const isPart = Array.isArray(data) && entries.length < all;
    const note = isPart ? `${entries.length} of the ${all} items that were read` : null;
    return compared(line, list, note);
  }

  async #verifyError(line: number, code: string, records: readonly string[]): Promise<LineVerdict> {
    const [id] = records;
    if (id === undefined) {
      return { line, status: 'unread', differences: [], note: `${code}, before a page was read` };
    }
    const derived = await this.#derived(id);
    if (derived === null) return missing(line, id);
    const now = derived.error?.code ?? 'an answer';
    return compared(line, differences('error.code', code, now));
  }

  /** Compares a line as a whole, if its items have no records. */
  async #verifyWhole(line: number, data: unknown, records: readonly string[]): Promise<LineVerdict> {
    const items: unknown[] = [];
    let [isFound, many] = [false, false];
    for (const id of records) {
      const derived = await this.#derived(id);
      if (derived === null) continue;
      if (derived.error !== null) {
        const now = `error ${derived.error.code}`;
        return compared(line, [{ field: 'data', was: data, now }]);
      }
      [isFound, many] = [true, derived.many];
      items.push(...derived.items);
    }
    if (!isFound) return missing(line, records[0]);
    return compared(line, differences('data', data, many ? items : items[0]));
  }

  /** Returns what a reading says today; null if the archive has none with that ID. */
  async #derived(id: string): Promise<Derived | null> {
    const record = this.#atHand.get(id);
    if (record !== undefined) return record;
    const reading = await this.#archive.reading(id);
    if (reading === null) return null;
    const derived = await derive(this.#archive, reading, this.#endpoints);
    this.#archive.index.markNamed(id);
    this.#atHand.set(id, derived);
    return derived;
  }
}

function compared(line: number, list: readonly Difference[], note: string | null = null): LineVerdict {
  return { line, status: list.length === 0 ? 'equal' : 'differs', differences: list, note };
}

function missing(line: number, id: string | undefined): LineVerdict {
  const note = id === undefined ? 'it refers to no record' : `${id} is not in the archive`;
  return { line, status: 'missing', differences: [], note };
}
