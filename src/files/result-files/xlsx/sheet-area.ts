import { ExtractError } from '../../../../lib/errors/extract-error.js';

/** Maximum number of cells that a reader may allocate, empty or not; more if that many are filled. */
const maxCells = 10_000_000;
const maxCellsEach = 20;
/** Empty rows, or columns, after which a cell is a stray one. */
const [rowGap, columnGap] = [10_000, 500];

const attributes = `((?:[^<>"']|"[^"]*"|'[^']*')*)`;
const openingTag = new RegExp(`<(?:\\w+:)?(?:row|c)(?=[\\s/>])${attributes}>`, 'g');
const element = (name: 'row' | 'c') =>
  new RegExp(
    `<(?:\\w+:)?${name}(?=[\\s/>])${attributes}(?:(?<=/)>|>(?:(?!<(?:\\w+:)?${name}[\\s/>])[^])*?</(?:\\w+:)?${name}>)`,
    'g',
  );

const tooLarge = () =>
  new ExtractError(
    'invalid_body',
    'The first and the last cell of the sheet are too far apart. Save it as CSV.',
    { next: '' },
  );

/** A is 1. */
const columnOf = (letters: string) =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Returns the position in a tag; zeros if it depends on the order of tags. */
function positionOf(tag: string): CellPosition {
  const reference = /(?<=\s)r\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag);
  if (reference === null) return { row: 0, column: 0 };
  const [, letters = '', digits] = /^([A-Z]{0,7})(\d{1,15})$/.exec(reference[1] ?? reference[2] ?? '') ?? [];
  if (digits === undefined) throw tooLarge();
  return { row: Number(digits), column: columnOf(letters) };
}

const last = (numbers: ReadonlySet<number>) => [...numbers].reduce((most, one) => Math.max(most, one), 0);

/** Returns the largest number before a gap. */
function lastBeforeGap(numbers: ReadonlySet<number>, gap: number): number {
  let before = 0;
  for (const number of [...numbers].sort((a, b) => a - b)) {
    if (number - before > gap) break;
    before = number;
  }
  return before;
}

/** Finds the area that a sheet's cells occupy, reading it in pieces. */
export class SheetArea {
  readonly #rows = new Set<number>();
  readonly #columns = new Set<number>();
  #cells = 0;
  #rest = '';

  add(piece: string): void {
    const text = this.#rest + piece;
    let end = 0;
    for (const match of text.matchAll(openingTag)) {
      const { row, column } = positionOf(match[1] ?? '');
      this.#rows.add(row);
      this.#columns.add(column);
      this.#cells += 1;
      end = match.index + match[0].length;
    }
    const begin = Math.max(text.lastIndexOf('<'), end);
    this.#rest = text.slice(begin);
    if (this.#rest.length > 1024 * 1024) this.#rest = '';
  }

  #isReadable({ row, column }: CellPosition): boolean {
    return row * Math.max(1, column) <= Math.max(maxCells, maxCellsEach * this.#cells);
  }

  /**
   * Returns the last position to read, after which cells are stray; null if there are none. Throws `invalid_body` if
   * the others are too far apart as well.
   */
  end(): CellPosition | null {
    if (this.#isReadable({ row: last(this.#rows), column: last(this.#columns) })) return null;
    const end = { row: lastBeforeGap(this.#rows, rowGap), column: lastBeforeGap(this.#columns, columnGap) };
    if (!this.#isReadable(end)) throw tooLarge();
    return end;
  }
}

/** Returns the XML of a sheet without cells beyond a position. */
export function withoutStrayCells(xml: string, end: CellPosition): string {
  return (['row', 'c'] as const).reduce(
    (text, name) =>
      text.replace(element(name), (element, tag: string) => {
        const { row, column } = positionOf(tag);
        return row > end.row || column > end.column ? '' : element;
      }),
    xml,
  );
}
