import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { version } from '../../../lib/runtime/version.js';
import type { EvidenceReader } from './evidence-reader.js';
import { indexLine } from './index-line.js';
import type { Segment } from './segment.js';
import {
  emptyComment,
  type Manifest,
  manifestDigestName,
  manifestName,
  warcFolder,
  writeFileDigest,
} from './wacz-file.js';
import { sha256 } from './warc-record.js';

export const software = `public-extract ${version}`;

const description =
  'Public pages received by public-extract as a logged-out visitor: each request and response, and what was read from them. ' +
  'Cookies and keys are removed from the headers, and each record names the removed headers. ' +
  '`extract archive verify` reads the pages again and compares results with them.';

export interface WaczContent {
  readonly segments: readonly Segment[];
  /** The records of the segments; closed once they are written. */
  readonly archive: EvidenceReader;
  readonly created: Date;
}

async function* indexText({ archive, segments }: WaczContent): AsyncGenerator<string> {
  for (const { entry, segment, offset, length } of archive.index.entries()) {
    yield indexLine(entry, { offset, length, filename: segments[segment]?.name ?? '' });
  }
}

/** Yields the list of pages: the first page of each reading, and its purpose. */
async function* pagesText({ archive }: WaczContent): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' })}\n`;
  for await (const { id, reading } of archive.readings()) {
    const url = reading.fetches.find(({ record }) => record !== undefined)?.url;
    if (url === undefined) continue;
    const title = `${reading.endpoint} ${JSON.stringify(reading.identity)}`;
    yield `${JSON.stringify({ id, url, ts: reading.fetched_at, title })}\n`;
  }
}

type Resource = Manifest['resources'][number] & { readonly name: string };

/** Writes an archive atomically, and returns its digest. */
export async function writeWacz(file: string, content: WaczContent): Promise<string> {
  const { segments, created } = content;
  const draft = `${file}.part`;
  const zip = new ZipFile();
  const options = { compress: false, mtime: created, mode: 0o100644 };
  const writing = pipeline(zip.outputStream, createWriteStream(draft, { mode: 0o600 }));
  const failed = new Promise<never>((_, reject) => writing.catch(reject));
  failed.catch(() => undefined);
  const resources: Resource[] = [];

  async function add(path: string, chunks: AsyncIterable<string | Buffer>): Promise<void> {
    const hash = createHash('sha256');
    let bytes = 0;
    const read = new Promise<void>((resolve, reject) => {
      async function* noting() {
        try {
          for await (const chunk of chunks) {
            const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
            hash.update(part);
            bytes += part.length;
            yield part;
          }
          resolve();
        } catch (error) {
          reject(error);
          throw error;
        }
      }
      zip.addReadStream(Readable.from(noting(), { objectMode: false }), path, options);
    });
    await Promise.race([read, failed]);
    resources.push({
      name: path.slice(path.lastIndexOf('/') + 1),
      ...{ path, hash: `sha256:${hash.digest('hex')}`, bytes },
    });
  }

  try {
    for (const { name, file: source, start, size } of segments) {
      await add(`${warcFolder}${name}`, createReadStream(source, { start, end: start + size - 1 }));
    }
    await add('indexes/index.cdx', indexText(content));
    await add('pages/pages.jsonl', pagesText(content));
    // Windows does not replace an open file.
    await content.archive.close();
    const about = Buffer.from(
      `${JSON.stringify(
        {
          ...{
            profile: 'data-package',
            wacz_version: '1.1.1',
            title: 'Pages read by public-extract',
            description,
          },
          ...{ software, created: created.toISOString(), resources },
        },
        null,
        2,
      )}\n`,
    );
    zip.addBuffer(about, manifestName, options);
    const digest = Buffer.from(`${JSON.stringify({ path: manifestName, hash: sha256(about) }, null, 2)}\n`);
    zip.addBuffer(digest, manifestDigestName, options);
    zip.end({ comment: emptyComment, forceZip64Format: false });
    await writing;
    const fileDigest = await writeFileDigest(draft);
    await moveFile(draft, file);
    return fileDigest;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
