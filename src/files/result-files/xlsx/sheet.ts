import { once } from 'node:events';
import type { PassThrough } from 'node:stream';
import { columnName, isLink, maxCellLength, styles, textCell, valueCell, xmlText } from './cells.js';
import type { RowSpool } from './row-spool.js';

export interface SheetLimits {
  /** Including the header. */
  readonly rows: number;
  readonly links: number;
}

/** Excel's own limits. */
export const excelLimits: SheetLimits = { rows: 1_048_576, links: 65_530 };

export interface SheetColumn {
  readonly title: string;
  readonly isTime: boolean;
  readonly isLink: boolean;
  /** In characters. */
  readonly width: number;
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const chunkLength = 64 * 1024;

/** One sheet: rows are streamed as they arrive; links and the end follow. */
export class Sheet {
  readonly #stream: PassThrough;
  readonly #columns: readonly SheetColumn[];
  readonly #letters: readonly string[];
  readonly #limits: SheetLimits;
  readonly #links: RowSpool;
  #linked = 0;
  #waiting: Promise<void> | undefined;
  #text: string;
  #rows = 0;
  /** Number of cells that exceeded the limit for text. */
  cut = 0;
  /** Number of addresses written as text, because the sheet has reached its limit of links. */
  unlinked = 0;

  /** The sheet owns `links`, and closes it. */
  constructor(stream: PassThrough, columns: readonly SheetColumn[], limits: SheetLimits, links: RowSpool) {
    this.#stream = stream;
    this.#links = links;
    this.#columns = columns;
    this.#limits = limits;
    this.#letters = columns.map((_, at) => columnName(at));
    const widths = columns.map(
      ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
    );
    this.#text = `${xmlHead}<worksheet xmlns="${main}" xmlns:r="${relationships}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
    this.#rows = 1;
    const titles = columns.map(({ title }, at) => textCell(`${this.#letters[at]}1`, title, styles.heading));
    this.#text += `<row r="1">${titles.join('')}</row>`;
  }

  get isFull(): boolean {
    return this.#rows >= this.#limits.rows;
  }

  /** Adds a row. Returns a promise if the caller must wait. */
  add(values: readonly unknown[]): Promise<void> | undefined {
    this.#rows += 1;
    const row = this.#rows;
    let cells = '';
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at];
      if (value === null || value === undefined) continue;
      cells += this.#cell(`${this.#letters[at]}${row}`, value, this.#columns[at] as SheetColumn);
    }
    this.#text += `<row r="${row}">${cells}</row>`;
    const aside = this.#waiting;
    this.#waiting = undefined;
    if (this.#text.length < chunkLength) return aside;
    return aside === undefined ? this.#flush() : aside.then(() => this.#flush());
  }

  #cell(reference: string, value: unknown, column: SheetColumn): string {
    if (typeof value === 'string' && value.length > maxCellLength) this.cut += 1;
    if (!column.isLink || !isLink(value)) return valueCell(reference, value, column.isTime);
    if (this.#linked >= this.#limits.links) {
      this.unlinked += 1;
      return valueCell(reference, value, false);
    }
    this.#linked += 1;
    this.#waiting = this.#links.add([reference, value]) ?? this.#waiting;
    return textCell(reference, value, styles.link);
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (!this.#stream.write(text)) await once(this.#stream, 'drain');
  }

  /** Ends the sheet. True if it has links, which `relations` then returns. */
  async end(): Promise<boolean> {
    const hasLinks = this.#linked > 0;
    const filtered = `A1:${this.#letters.at(-1)}${this.#rows}`;
    this.#text += `</sheetData><autoFilter ref="${filtered}"/>${hasLinks ? '<hyperlinks>' : ''}`;
    let number = 0;
    if (hasLinks) {
      for await (const [reference] of this.#links.rows()) {
        number += 1;
        this.#text += `<hyperlink ref="${reference}" r:id="rId${number}"/>`;
        if (this.#text.length >= chunkLength) await this.#flush();
      }
      this.#text += '</hyperlinks>';
    }
    this.#text += '</worksheet>';
    await this.#flush();
    this.#stream.end();
    return hasLinks;
  }

  /** Yields the part with the targets of the links, piece by piece. */
  async *relations(): AsyncGenerator<string, void, undefined> {
    let text = `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`;
    let number = 0;
    for await (const [, target] of this.#links.rows()) {
      number += 1;
      text += `<Relationship Id="rId${number}" Type="${relationships}/hyperlink" Target="${xmlText(new URL(String(target)).href)}" TargetMode="External"/>`;
      if (text.length < chunkLength) continue;
      yield text;
      text = '';
    }
    yield `${text}</Relationships>`;
  }

  async close(): Promise<void> {
    await this.#links.close();
  }
}
