import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, type ZipFile as ZipSource } from 'yauzl';
import { ZipFile } from 'yazl';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { SheetArea, withoutStrayCells } from './sheet-area.js';

/** Maximum unpacked bytes of a part, and of all parts that are read; a JavaScript string cannot be longer. */
const [maxPart, maxUnpacked] = [512 * 1024 * 1024 - 64, 1024 * 1024 * 1024];

const isRead = ({ fileName }: Entry) => /\.xml(?:\.rels)?$/.test(fileName);
const isSheet = ({ fileName }: Entry) => /(?:^|\/)worksheets\/[^/]*\.xml$/i.test(fileName);

async function textOf(zip: ZipSource, entry: Entry, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>)
    onText(decoder.decode(chunk, { stream: true }));
}

/** Returns the parts to read. Throws `invalid_body` if they would take too much memory. */
async function partsOf(zip: ZipSource): Promise<readonly Entry[]> {
  const parts: Entry[] = [];
  let unpacked = 0;
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    if (!isRead(entry)) continue;
    unpacked += entry.uncompressedSize;
    if (entry.uncompressedSize > maxPart || unpacked > maxUnpacked) {
      throw new ExtractError(
        'invalid_body',
        'The workbook unpacks to more than 1 GB: save its sheet as CSV.',
        {
          next: '',
        },
      );
    }
    parts.push(entry);
  }
  return parts;
}

/** Returns a workbook whose sheets are cut off after the position of each. */
async function rewritten(
  zip: ZipSource,
  parts: readonly Entry[],
  ends: ReadonlyMap<Entry, NonNullable<ReturnType<SheetArea['end']>>>,
): Promise<Buffer> {
  const file = new ZipFile();
  const bytes = buffer(file.outputStream);
  for (const entry of parts) {
    let text = '';
    await textOf(zip, entry, (piece) => {
      text += piece;
    });
    const end = ends.get(entry);
    file.addBuffer(Buffer.from(end === undefined ? text : withoutStrayCells(text, end)), entry.fileName, {
      compress: false,
    });
  }
  file.end();
  return bytes;
}

/**
 * Returns a workbook that takes no more memory to read than its cells need, even if it declares more. Rejects one
 * that unpacks to too much, or whose cells are too far apart, before anything is allocated; drops a stray cell far
 * from all others. Throws for an invalid workbook.
 */
export async function boundedWorkbook(workbook: Buffer): Promise<Buffer> {
  const zip = await fromBufferPromise(workbook, { lazyEntries: true });
  const parts = await partsOf(zip);
  const ends = new Map<Entry, NonNullable<ReturnType<SheetArea['end']>>>();
  for (const entry of parts.filter(isSheet)) {
    const area = new SheetArea();
    await textOf(zip, entry, (piece) => area.add(piece));
    const end = area.end();
    if (end !== null) ends.set(entry, end);
  }
  return ends.size === 0 ? workbook : rewritten(zip, parts, ends);
}
