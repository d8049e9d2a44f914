import { crc32 } from 'node:zlib';
import { Notifier } from '../../../lib/batch/notifier.js';
import type { ReadsOn } from '../../../lib/batch/run-input.js';
import type { MapsPlace } from '../../../lib/platforms/maps/objects.js';
import { keepItems, type Line } from '../../lines/line.js';
import type { Input } from '../batch-files/input.js';
import type { Area } from './area.js';
import { type Box, type Circle, circleOf, quartersOf } from './cells.js';

/** Pages to read before a cell is split; the platform ends its lists after 20 to 300 places. */
const maxPages = 6;
const pageSize = 20;

/** Returns the maximum number of calls: if every cell is full, and split as far as possible. */
export function callsAtMost(cells: readonly Box[]): number {
  const ofCell = (cell: Box): number => {
    const [quarter] = quartersOf(cell) ?? [];
    return maxPages + (quarter === undefined ? 0 : 4 * ofCell(quarter));
  };
  return cells.reduce((sum, cell) => sum + ofCell(cell), 0);
}

export interface CellResult {
  readonly index: number;
  /** True if its list may be truncated. */
  readonly isFull: boolean;
  /** IDs of places that no earlier cell had. */
  readonly ids: readonly string[];
  /** Set for a full cell that is not split, because it is too small or returned nothing new. Places may be missing. */
  readonly cutOff?: Circle | undefined;
}

export interface CellArea {
  readonly area: Area;
  readonly cells: readonly Box[];
}

export interface CoverOptions extends CellArea {
  /** Parameters of every search: the words, the language. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Parameters of every call that lines do not repeat. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The user's columns for every line. */
  readonly own?: Input['own'];
  /** Results of an earlier run, in order, from the first cell. */
  readonly earlierResults: readonly CellResult[];
  /** Receives each further result before its lines are written. */
  readonly onCell: (result: CellResult) => Promise<void>;
}

/**
 * Covers an area by searches. A cell whose list may be truncated is split into quarters, unless it returned nothing
 * new. Returns each place once. Cells and their order depend only on the answers, so an interrupted run can continue.
 */
export class Cover {
  readonly #options: CoverOptions;
  readonly #given = new Set<string>();
  readonly #cutOff: Circle[] = [];
  /** Whether to split each finished cell, by index. */
  readonly #splits: boolean[] = [];
  readonly #ended = new Notifier();
  /** Number of places on each page of a search so far. */
  readonly #pages = new WeakMap<object, readonly number[]>();
  readonly #cellOf = new WeakMap<object, Box>();
  #cells = 0;
  #isStopped = false;

  constructor(options: CoverOptions) {
    this.#options = options;
    this.#cells = options.cells.length;
    for (const result of options.earlierResults) this.#end(result);
  }

  /** Counts of cells and places so far, and the full cells that were not split. */
  get progress(): { readonly cells: number; readonly places: number; readonly cutOff: readonly Circle[] } {
    return { cells: this.#cells, places: this.#given.size, cutOff: this.#cutOff };
  }

  /** Stops producing cells. */
  stop(): void {
    this.#isStopped = true;
    this.#ended.notify();
  }

  /** Yields the searches of the initial cells, then of the quarters of full cells, until none is split. */
  async *inputs(): AsyncGenerator<Input, void, undefined> {
    let index = 0;
    for (let level = this.#options.cells; level.length > 0; ) {
      const first = index;
      for (const cell of level) {
        yield this.#input(index, cell);
        index += 1;
      }
      while (this.#splits.length < index) {
        if (this.#isStopped) return;
        await this.#ended.next();
      }
      level = level.flatMap((cell, at) =>
        this.#splits[first + at] === true ? (quartersOf(cell) ?? []).filter(this.#options.area.touches) : [],
      );
      this.#cells += level.length;
    }
  }

  /** Decides how many pages of a cell are read. */
  readonly readsOn: ReadsOn = async ({ params }, { json }) => this.#readsOn(params, placesOf(json).length);

  /** Returns a line with only the places inside the area. */
  inside<L extends Line>(line: L): L {
    const isInside = placesOf(line.json).map((place) => this.#isInside(place));
    return line.json === null ? line : keepItems(line, isInside, true);
  }

  #readsOn(params: Parameters<ReadsOn>[0]['params'], places: number): boolean {
    const pages = [...(this.#pages.get(params) ?? []), places];
    this.#pages.set(params, pages);
    return pages.length < maxPages || !this.#hasQuarters(params);
  }

  /** True if quarters can find the rest of the list; a cell too small to split is read to its end. */
  #hasQuarters(params: NonNullable<Input['params']>): boolean {
    const cell = this.#cellOf.get(params);
    return cell !== undefined && quartersOf(cell) !== null;
  }

  #isInside({ location }: MapsPlace): boolean {
    return location === null || this.#options.area.contains(location);
  }

  /** Returns a line with only the places that no earlier cell had. */
  async newPlaces<L extends Line>(line: L): Promise<L> {
    const { item, json } = line;
    const cellPlaces = placesOf(json);
    const isNew = cellPlaces.map((place) => !this.#given.has(place.place_id) && this.#isInside(place));
    const places = cellPlaces.filter((_, at) => isNew[at]);
    const { index, params } = item;
    const isFull = json !== null && params !== null && this.#isFull(params, cellPlaces.length);
    const cell = isFull ? this.#cellOf.get(params) : undefined;
    const ids = [...new Set(places.map(({ place_id }) => place_id))];
    const isLeft = cell !== undefined && (ids.length === 0 || quartersOf(cell) === null);
    const ended = { index, isFull, ids, ...(isLeft ? { cutOff: circleOf(cell) } : {}) };
    await this.#options.onCell(ended);
    this.#end(ended);
    return json === null ? line : keepItems(line, isNew, true);
  }

  /**
   * True if a list may be truncated: it was not read to its end, or its last page is full. When the platform truncates
   * a list, the next page is empty.
   */
  #isFull(params: NonNullable<Input['params']>, places: number): boolean {
    const pages = this.#pages.get(params) ?? [];
    if (pages.length >= maxPages && this.#hasQuarters(params)) return true;
    const last = places - pages.reduce((sum, page) => sum + page, 0);
    return last === pageSize || (last === 0 && (pages.at(-1) ?? 0) > 0);
  }

  #end({ isFull, ids, cutOff }: CellResult): void {
    for (const id of ids) this.#given.add(id);
    if (cutOff !== undefined) this.#cutOff.push(cutOff);
    this.#splits.push(isFull && ids.length > 0);
    this.#ended.notify();
  }

  #input(index: number, cell: Box): Input {
    const { own, params: partOf, defaults } = this.#options;
    const echo = JSON.stringify({ ...partOf, ...circleOf(cell) });
    const params = { ...defaults, ...partOf, ...circleOf(cell) };
    this.#cellOf.set(params, cell);
    return { index, line: index + 1, echo, params, partOf, own, fault: null, checksum: crc32(echo), end: 0 };
  }
}

const placesOf = (json: string | null) => (json === null ? [] : (JSON.parse(json) as MapsPlace[]));
