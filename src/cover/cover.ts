import { crc32 } from 'node:zlib';
import { Notifier } from '../../lib/batch/notifier.js';
import type { ReadsOn } from '../../lib/batch/run-input.js';
import type { MapsPlace } from '../../lib/platforms/maps/objects.js';
import type { NewsFilter } from '../batch-files/batch-run.js';
import type { Input } from '../batch-files/input.js';
import type { InputResult } from '../batch-files/line-format.js';
import { type Box, circleOf, isInside, quartersOf } from './cells.js';

/** Pages after which a search counts as full: the platform ends its lists after 120 to 300 places. */
const fullPages = 6;

/** What one cell came to. */
export interface CellResult {
  readonly index: number;
  /** True when its list may have been cut off. */
  readonly isFull: boolean;
  /** Ids of the places that no cell before it had. */
  readonly ids: readonly string[];
}

export interface CoverOptions {
  readonly box: Box;
  /** The cells to begin with. */
  readonly cells: readonly Box[];
  /** Parameters of every search: the words, the language. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Results of an earlier run, in order, from the first cell on. */
  readonly known: readonly CellResult[];
  /** Receives each further result before its lines are written. */
  readonly onCell: (result: CellResult) => Promise<void>;
}

/**
 * Covers an area by searches. A cell whose list may have been cut off is split into quarters. One that brought nothing
 * new is not. Gives each place once. Cells and their order depend on the answers alone. A run that was cut off then
 * continues where it was.
 */
export class Cover {
  readonly #options: CoverOptions;
  readonly #given = new Set<string>();
  /** Whether each cell that has ended is to be split, by its index. */
  readonly #splits: boolean[] = [];
  readonly #ended = new Notifier();
  readonly #pages = new WeakMap<object, number>();
  readonly #cellOf = new WeakMap<object, Box>();
  #cells = 0;
  #isStopped = false;

  constructor(options: CoverOptions) {
    this.#options = options;
    for (const result of options.known) this.#end(result);
  }

  /** Cells that are known so far, and places that were given. */
  get progress(): { readonly cells: number; readonly places: number } {
    return { cells: this.#cells, places: this.#given.size };
  }

  /** Lets the cells end, for a run that is given up. */
  stop(): void {
    this.#isStopped = true;
    this.#ended.notify();
  }

  /** The searches: those of the first cells, then those of the quarters of full ones, until no cell is split. */
  async *inputs(): AsyncGenerator<Input, void, undefined> {
    let index = 0;
    for (let level = this.#options.cells; level.length > 0; ) {
      const first = index;
      this.#cells += level.length;
      for (const cell of level) {
        yield this.#input(index, cell);
        index += 1;
      }
      while (this.#splits.length < index) {
        if (this.#isStopped) return;
        await this.#ended.next();
      }
      level = level.flatMap((cell, at) =>
        this.#splits[first + at] === true ? (quartersOf(cell) ?? []) : [],
      );
    }
  }

  /** How far the list of a cell is read, and which of its places are given. */
  readonly filter: NewsFilter = {
    readsOn: async ({ params }) => this.#readsOn(params),
    newsOf: (result) => this.#newsOf(result),
  };

  #readsOn(params: Parameters<ReadsOn>[0]['params']): boolean {
    const pages = (this.#pages.get(params) ?? 0) + 1;
    this.#pages.set(params, pages);
    if (pages < fullPages) return true;
    // Its quarters are asked for the rest; one that has none is read to its end.
    const cell = this.#cellOf.get(params);
    return cell === undefined || quartersOf(cell) === null;
  }

  async #newsOf(result: InputResult): Promise<InputResult | null> {
    const { item, json, calls } = result;
    const places = (json === null ? [] : (JSON.parse(json) as MapsPlace[])).filter(
      ({ place_id, location }) =>
        !this.#given.has(place_id) && (location === null || isInside(this.#options.box, location)),
    );
    const ended = {
      index: item.index,
      isFull: calls >= fullPages,
      ids: [...new Set(places.map(({ place_id }) => place_id))],
    };
    await this.#options.onCell(ended);
    this.#end(ended);
    if (json === null) return result;
    return places.length === 0 ? null : { ...result, json: JSON.stringify(places) };
  }

  #end({ isFull, ids }: CellResult): void {
    for (const id of ids) this.#given.add(id);
    this.#splits.push(isFull && ids.length > 0);
    this.#ended.notify();
  }

  #input(index: number, cell: Box): Input {
    const params = { ...this.#options.params, ...circleOf(cell) };
    this.#cellOf.set(params, cell);
    const echo = JSON.stringify(params);
    return { index, line: index + 1, echo, params, fault: null, checksum: crc32(echo), end: 0 };
  }
}
