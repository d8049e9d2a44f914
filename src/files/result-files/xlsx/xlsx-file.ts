import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { integerText } from '../../../output/number-text.js';
import { type Column, type Selection, select, valueAt } from '../../../output/selection.js';
import { type ChangeCells, changeColumns, changeRows } from '../change-columns.js';
import { coverageCells, coverageColumns } from '../coverage-columns.js';
import { type InputColumn, inputColumns } from '../input-columns.js';
import {
  type InputAnswer,
  type ResultFileShape,
  type ResultFileWriter,
  recordsChanges,
} from '../result-file.js';
import { type SourceColumn, sourceCells, sourceColumns } from '../source-columns.js';
import { RowSpool } from './row-spool.js';
import { excelLimits, Sheet, type SheetColumn, type SheetLimits } from './sheet.js';
import { workbookParts } from './workbook-parts.js';

/** Fast: a sheet's XML is so repetitive that more effort saves little. */
export const compressionLevel = 2;
/** The same date for every part, so that equal results make equal files. */
export const mtime = new Date(Date.UTC(1980, 0, 1));

const plain = { isTime: false, isLink: false };
/** Wide enough for the title with its filter button, and for usual content. */
const widthOf = (title: string, usual: number) => Math.max(title.length + 4, usual);

function dataColumn({ name, isTime, numeric }: Column): SheetColumn {
  const isLink = /(^|[._])(url|website|permalink|link)$/.test(name);
  return { title: name, isTime, isLink, width: widthOf(name, isTime ? 20 : isLink ? 32 : numeric ? 10 : 24) };
}

const sheetColumn = ({ name, type }: SourceColumn): SheetColumn =>
  dataColumn({ name, path: [], numeric: type === 'integer', isTime: type === 'time' });

/** The user's own times are dates, as in the workbook they came from. */
const inputColumn = ({ title, isOwn }: InputColumn): SheetColumn => ({
  ...{ title, isLink: false, width: widthOf(title, 18) },
  isTime: isOwn,
});

interface AnswerRows extends Pick<InputAnswer, 'index' | 'items' | 'sources'> {
  /** Cells at the start of each row. */
  readonly before: readonly unknown[];
  /** Cells at the end of a row for each change of the single object; null if changes are not reported. */
  readonly changes: readonly ChangeCells[] | null;
}

/** A workbook: results, further sheets when one is full, errors, runs, and notes on what did not fit. */
class XlsxFile implements ResultFileWriter {
  readonly #file: string;
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;
  readonly #abort = new AbortController();
  #shape!: ResultFileShape;
  #ofInput: readonly InputColumn[] = [];
  #selection!: Selection;
  #columns: readonly SheetColumn[] = [];
  readonly #limits: SheetLimits;
  #errors!: RowSpool;
  #hasErrors = false;
  /** Coverage of each input. */
  #runs!: RowSpool;
  /** The row of the current input, which its last page completes. */
  #run: readonly unknown[] | undefined;
  #hasRuns = false;
  readonly #names: string[] = [];
  readonly #notes: string[] = [];
  /** Sheets of results in the current part, and the prefix of their names; empty for a single part. */
  #resultSheets = 0;
  #title = '';
  #sheet!: Sheet;

  constructor(
    file: string,
    output: FileHandle,
    shape: ResultFileShape,
    selection: Selection,
    limits: SheetLimits,
  ) {
    this.#file = file;
    this.#limits = limits;
    this.#written = pipeline(this.#zip.outputStream, output.createWriteStream(), {
      signal: this.#abort.signal,
    });
    // The next call rejects with it.
    this.#written.catch(() => undefined);
    this.#beginPart(shape, selection);
  }

  #beginPart(shape: ResultFileShape, selection: Selection): void {
    this.#title = shape.title ?? '';
    this.#shape = shape;
    this.#selection = selection;
    this.#ofInput = shape.inputs ? inputColumns(shape.endpoint, shape.ownColumns, shape.usedParams) : [];
    this.#columns = [
      ...this.#ofInput.map(inputColumn),
      ...selection.columns.map(dataColumn),
      ...(shape.sources === true ? sourceColumns.map(sheetColumn) : []),
      ...(recordsChanges(shape) ? changeColumns.map((title) => ({ ...plain, title, width: 24 })) : []),
    ];
    this.#errors = new RowSpool(`${this.#file}.errors`);
    this.#runs = new RowSpool(`${this.#file}.runs`);
    this.#hasErrors = false;
    this.#hasRuns = false;
    this.#resultSheets = 0;
    this.#sheet = this.#addResultSheet();
  }

  #addResultSheet(): Sheet {
    this.#resultSheets += 1;
    const name = this.#title || 'Results';
    const numbered = this.#resultSheets === 1 ? name : `${name} ${this.#resultSheets}`;
    return this.#addSheet(numbered, this.#columns);
  }

  #addSheet(name: string, columns: readonly SheetColumn[]): Sheet {
    this.#names.push(name);
    const stream = new PassThrough({ highWaterMark: 256 * 1024, signal: this.#abort.signal });
    stream.on('error', () => undefined);
    this.#zip.addReadStream(stream, `xl/worksheets/sheet${this.#names.length}.xml`, {
      mtime,
      compressionLevel,
    });
    const links = new RowSpool(`${this.#file}.links`);
    return new Sheet(stream, columns, this.#limits, links);
  }

  async #endSheet(): Promise<void> {
    const name = this.#names.at(-1) as string;
    const sheet = this.#sheet;
    if (await this.#whileWriting(sheet.end())) {
      const { signal } = this.#abort;
      const relations = Readable.from(sheet.relations(), { objectMode: false, signal });
      const part = `xl/worksheets/_rels/sheet${this.#names.length}.xml.rels`;
      this.#zip.addReadStream(relations, part, { mtime, compressionLevel });
      await this.#whileWriting(finished(relations));
    }
    await sheet.close();
    const { cut, unlinked } = sheet;
    if (cut > 0) {
      this.#notes.push(`${name}: texts cut at 32,767 characters, the limit of a cell: ${integerText(cut)}.`);
    }
    if (unlinked > 0) {
      this.#notes.push(
        `${name}: URLs without a link, because a sheet has at most ${integerText(this.#limits.links)}: ${integerText(unlinked)}.`,
      );
    }
  }

  /** Waits for the work, and rejects as soon as writing fails. */
  async #whileWriting<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#written.then(() => work)]);
  }

  add({ input, own, error, changed, coverage, ...answer }: InputAnswer): Promise<void> | void {
    const before = this.#ofInput.map(({ value }) => value({ input, own }));
    const changes = recordsChanges(this.#shape) ? changeRows(changed) : null;
    const items = this.#addItems({ before, changes, ...answer }, 0);
    if (error !== null) this.#hasErrors = true;
    const index = this.#shape.sources === true ? [answer.index] : [];
    const spooled: (() => Promise<void> | undefined)[] = [
      ...(answer.from === 0 ? [() => this.#addRun()] : []),
      ...(error === null ? [] : [() => this.#errors.add([...before, ...index, error.code, error.message])]),
    ];
    const work = spooled.reduce<Promise<void> | undefined>(
      (before, spool) => (before === undefined ? spool() : before.then(spool)),
      items,
    );
    const run = coverage && [...before, ...index, ...coverageCells(coverage)];
    const keep = () => {
      this.#run = run ?? this.#run;
    };
    return work === undefined ? keep() : work.then(keep);
  }

  #addRun(): Promise<void> | undefined {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return undefined;
    this.#hasRuns = true;
    return this.#runs.add(run);
  }

  /** Adds rows until it has to wait, and the rest after that. */
  #addItems(rows: AnswerRows, from: number): Promise<void> | undefined {
    const { before, index, sources, changes } = rows;
    const { columns } = this.#selection;
    const hasSources = this.#shape.sources === true;
    // An object has a row for each of its changes.
    const items = changes === null ? rows.items : rows.items.flatMap((item) => changes.map(() => item));
    for (let at = from; at < items.length; at += 1) {
      const item = items[at];
      if (this.#sheet.isFull) return this.#nextSheet().then(() => this.#addItems(rows, at));
      const wait = this.#sheet.add([
        ...before,
        ...columns.map(({ path }) => valueAt(item, path)),
        ...(hasSources ? sourceCells(sources?.[changes === null ? at : 0], index) : []),
        ...(changes?.[at] ?? []),
      ]);
      if (wait !== undefined) {
        return this.#whileWriting(wait).then(() => this.#addItems(rows, at + 1));
      }
    }
    return undefined;
  }

  async #nextSheet(): Promise<void> {
    await this.#endSheet();
    this.#sheet = this.#addResultSheet();
  }

  /** Adds a sheet of spooled rows: `titles` follow the columns of the input. */
  async #addSpooled(name: string, spool: RowSpool, titles: readonly string[]): Promise<void> {
    const index = this.#shape.sources === true ? ['input_index'] : [];
    const all = [...this.#ofInput.map(({ title }) => title), ...index, ...titles];
    const isLong = (title: string) => title === 'error.message' || title === 'routes';
    this.#sheet = this.#addSheet(
      this.#title === '' ? name : `${this.#title} ${name.toLowerCase()}`,
      all.map((title) => ({ ...plain, title, width: isLong(title) ? 80 : 24 })),
    );
    let rest = 0;
    for await (const row of spool.rows()) {
      if (this.#sheet.isFull) {
        rest += 1;
        continue;
      }
      const wait = this.#sheet.add(row);
      if (wait !== undefined) await this.#whileWriting(wait);
    }
    await this.#endSheet();
    if (rest > 0) {
      this.#notes.push(
        `${name}: results without a row, because the sheet is full; the NDJSON has all of them: ${integerText(rest)}.`,
      );
    }
  }

  /** Ends the sheets of results, and adds the sheets of errors and runs; with several parts only if there are any. */
  async #endPart(): Promise<void> {
    await this.#endSheet();
    if (this.#shape.inputs && (this.#hasErrors || this.#title === ''))
      await this.#addSpooled('Errors', this.#errors, ['error.code', 'error.message']);
    await this.#addRun();
    if (this.#hasRuns) await this.#addSpooled('Runs', this.#runs, coverageColumns);
  }

  async next(shape: ResultFileShape): Promise<void> {
    await this.#endPart();
    await this.#errors.close();
    await this.#runs.close();
    this.#beginPart(shape, select(shape.endpoint.returns, shape.endpoint.many, null));
  }

  async end(): Promise<void> {
    try {
      await this.#endPart();
      if (this.#notes.length > 0) {
        this.#sheet = this.#addSheet('Notes', [
          { ...plain, title: 'What did not fit into the sheets', width: 100 },
        ]);
        for (const note of this.#notes.slice()) await this.#sheet.add([note]);
        await this.#endSheet();
      }
      for (const [name, text] of Object.entries(workbookParts(this.#names))) {
        this.#zip.addBuffer(Buffer.from(text), name, { mtime });
      }
      this.#zip.end();
      await this.#written;
    } finally {
      await this.#sheet.close();
      await this.#errors.close();
      await this.#runs.close();
    }
  }

  async abort(): Promise<void> {
    this.#abort.abort();
    await this.#written.catch(() => undefined);
    await this.#sheet.close();
    await this.#errors.close();
    await this.#runs.close();
  }
}

/** Opens a workbook for the selected fields of an endpoint. */
export async function openXlsxFile(
  file: string,
  shape: ResultFileShape,
  selection: Selection,
  limits = excelLimits,
): Promise<ResultFileWriter> {
  return new XlsxFile(file, await open(file, 'w'), shape, selection, limits);
}
