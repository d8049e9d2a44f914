import { plainText } from './cells.js';

/** Characters of a row, or of the links of a sheet, at most. */
const maxLength = 256 * 1024 * 1024;

/** Pieces of a text that end with a mark, and the rest. */
async function* piecesOf(
  texts: AsyncIterable<string>,
  mark: string,
): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const text of texts) {
    rest += text;
    if (rest.length > maxLength) throw new Error('A row is too long.');
    let start = 0;
    for (let end = rest.indexOf(mark); end >= 0; end = rest.indexOf(mark, start)) {
      yield rest.slice(start, end + mark.length);
      start = end + mark.length;
    }
    rest = rest.slice(start);
  }
  yield rest;
}

/** Takes rows out of the XML of a sheet as `Sheet` writes it, and their links. The rows behind them move up. */
export class RowFilter {
  readonly #isGone: (text: string) => boolean;
  /** Numbers of the rows that went, in their order. */
  readonly #gone: number[] = [];
  readonly #goneLinks = new Set<string>();

  constructor(isGone: (text: string) => boolean) {
    this.#isGone = isGone;
  }

  get removed(): number {
    return this.#gone.length;
  }

  /** The sheet without the rows. Its heading stays. */
  async *sheet(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const piece of piecesOf(texts, '</row>')) {
      const [row, number = ''] = /^<row r="(\d+)">/.exec(piece) ?? [];
      if (row === undefined) yield piece.startsWith('</sheetData>') ? this.#end(piece) : piece;
      else if (this.#isGone(plainText(piece.replace(/<[^>]*>/g, '\n')))) this.#gone.push(Number(number));
      else yield this.#moved(piece, number);
    }
  }

  /** The part that says where the links lead, without those of the rows. To be read after the sheet. */
  async *relations(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const piece of piecesOf(texts, '/>'))
      yield piece.replace(/<Relationship Id="(rId\d+)"[^>]*\/>/, (link, id: string) =>
        this.#goneLinks.has(id) ? '' : link,
      );
  }

  /** A row in its new place. */
  #moved(row: string, number: string): string {
    if (this.#gone.length === 0) return row;
    const place = Number(number) - this.#gone.length;
    return row
      .replace(`<row r="${number}">`, `<row r="${place}">`)
      .replace(new RegExp(`<c r="([A-Z]+)${number}"`, 'g'), `<c r="$1${place}"`);
  }

  /** The end of the sheet: the rows that can be filtered, and the list of its links in the order of their rows. */
  #end(end: string): string {
    let before = 0;
    const filtered = end.replace(
      /<autoFilter ref="A1:([A-Z]+)(\d+)"\/>/,
      (_, column: string, rows: string) =>
        `<autoFilter ref="A1:${column}${Number(rows) - this.#gone.length}"/>`,
    );
    const rest = filtered.replace(
      /<hyperlink ref="([A-Z]+)(\d+)" r:id="(rId\d+)"\/>/g,
      (_, column: string, number: string, id: string) => {
        while ((this.#gone[before] ?? Number.POSITIVE_INFINITY) < Number(number)) before += 1;
        if (this.#gone[before] !== Number(number))
          return `<hyperlink ref="${column}${Number(number) - before}" r:id="${id}"/>`;
        this.#goneLinks.add(id);
        return '';
      },
    );
    // A list without a link would be invalid.
    return rest.replace('<hyperlinks></hyperlinks>', '');
  }
}
