import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile as ZipSource } from 'yauzl';
import { ZipFile } from 'yazl';
import { plainText } from './cells.js';
import { RowFilter } from './row-filter.js';
import { sheetNamesIn, workbookParts } from './workbook-parts.js';
import { compressionLevel, mtime } from './xlsx-file.js';

/** Bytes of a part that is no sheet, and characters of a row, at most: what is larger is of another program. */
const maxPart = 1024 * 1024;

async function entriesOf(zip: ZipSource): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) entries.set(entry.fileName, entry);
  return entries;
}

async function* textsOf(zip: ZipSource, entry: Entry): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>)
    yield decoder.decode(chunk, { stream: true });
}

async function wholeText(zip: ZipSource, entry: Entry | undefined): Promise<string> {
  if (entry === undefined || entry.uncompressedSize > maxPart) return '';
  let text = '';
  for await (const part of textsOf(zip, entry)) text += part;
  return text;
}

/** The parts around the sheets, to the letter as this program writes them; null for a workbook of another one. */
async function ownParts(zip: ZipSource, entries: ReadonlyMap<string, Entry>) {
  const names = sheetNamesIn(await wholeText(zip, entries.get('xl/workbook.xml'))).map(plainText);
  const parts = workbookParts(names);
  for (const [name, text] of Object.entries(parts))
    if ((await wholeText(zip, entries.get(name))) !== text) return null;
  const sheets = names.map((_, at) => ({
    sheet: entries.get(`xl/worksheets/sheet${at + 1}.xml`),
    links: entries.get(`xl/worksheets/_rels/sheet${at + 1}.xml.rels`),
  }));
  const known = sheets.flatMap(({ sheet, links }) => [sheet, links]).filter((one) => one !== undefined);
  return known.length + Object.keys(parts).length === entries.size ? { parts, sheets } : null;
}

/**
 * Writes a workbook of this program anew, without the rows whose text `isGone`, and gives how many those are. All other cells
 * stay to the letter. Null where another program wrote or saved it.
 */
export async function rewriteXlsx(
  file: string,
  draft: string,
  isGone: (text: string) => boolean,
): Promise<number | null> {
  const source = await openPromise(file, { autoClose: false }).catch(() => null);
  if (source === null) return null;
  try {
    const own = await ownParts(source, await entriesOf(source));
    if (own === null) return null;
    const zip = new ZipFile();
    const output = createWriteStream(draft, { mode: (await stat(file)).mode & 0o777, flush: true });
    const written = pipeline(zip.outputStream, output);
    const failed = new Promise<never>((_, reject) => {
      zip.on('error', (cause: Error) => {
        output.destroy(cause);
        reject(cause);
      });
    });
    failed.catch(() => undefined);
    // The archive takes its parts one after the other: where links lead comes after the rows that have them.
    const add = (name: string, pieces: AsyncIterable<string>) =>
      zip.addReadStream(Readable.from(pieces, { objectMode: false }), name, { mtime, compressionLevel });
    const filters = own.sheets.map(({ sheet, links }) => {
      const filter = new RowFilter(isGone);
      if (sheet !== undefined) add(sheet.fileName, filter.sheet(textsOf(source, sheet)));
      if (links !== undefined) add(links.fileName, filter.relations(textsOf(source, links)));
      return filter;
    });
    for (const [name, text] of Object.entries(own.parts)) zip.addBuffer(Buffer.from(text), name, { mtime });
    zip.end();
    await Promise.race([written, failed]);
    return filters.reduce((sum, { removed }) => sum + removed, 0);
  } finally {
    source.close();
  }
}
