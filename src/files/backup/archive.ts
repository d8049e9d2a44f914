import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { packTar, type TarSource, unpackTar } from 'modern-tar/fs';
import * as z from 'zod';
import { jsonOf } from '../../output/json-text.js';

/** The first entry of an archive: what made it, and how much must follow. */
const manifest = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  made_at: z.string(),
  files: z.record(z.string(), z.int().nonnegative()),
});

/** The facts about itself in an archive; `files` holds the bytes of each file. */
export type Manifest = z.output<typeof manifest>;

export const manifestName = 'backup.json';

/** Names that an archive may hold. An archive from elsewhere writes nowhere else. */
const allowedName =
  /^(?:backup\.json|(?:ledger|results|state)\.db|(?:cursor|pseudonym)\.key|jobs\/[A-Za-z0-9_]+\.(?:ndjson|late|index|sums|kept\.wacz\.warc\.gz)|archive\/[A-Za-z0-9_][A-Za-z0-9_.-]*\.ndjson\.gz)$/;

/** Parses a manifest; null for what is none, or one of a later format. */
export const parseManifest = (text: string): Manifest | null => manifest.safeParse(jsonOf(text)).data ?? null;

/** A file to pack: where it lies, and how it is called in the archive. */
export interface PackedFile {
  readonly source: string;
  readonly name: string;
}

/** The first bytes of a file. The file is opened with the first read: a backup may hold thousands of files. */
async function* firstBytes(file: string, size: number): AsyncGenerator<Buffer, void, undefined> {
  yield* createReadStream(file, { end: size - 1 });
}

/**
 * The archive of some files, as a gzip stream. A file that grows meanwhile is packed at the length it has now.
 * The stream fails when a file cannot be read.
 */
export async function packFiles(
  files: readonly PackedFile[],
  about: Omit<Manifest, 'format' | 'files'>,
): Promise<{ readonly stream: Readable; readonly manifest: Manifest }> {
  const sizes = await Promise.all(files.map(async ({ source }) => (await stat(source)).size));
  const whole: Manifest = {
    format: 1,
    ...about,
    files: Object.fromEntries(files.map(({ name }, at) => [name, sizes[at] ?? 0])),
  };
  const mode = 0o600;
  const sources = files.map(({ source, name }, at): TarSource => {
    const size = sizes[at] ?? 0;
    if (size === 0) return { type: 'content', content: '', target: name, mode };
    const content = Readable.from(firstBytes(source, size), { objectMode: false });
    return { type: 'stream', content, size, target: name, mode };
  });
  const first: TarSource = { type: 'content', content: JSON.stringify(whole), target: manifestName, mode };
  const tar = packTar([first, ...sources]);
  const gzip = createGzip();
  tar.on('error', (cause) => gzip.destroy(cause));
  return { stream: tar.pipe(gzip), manifest: whole };
}

/** The two streams that unpack an archive into a folder; names that do not belong into one are left out. */
export function unpackInto(folder: string): readonly [NodeJS.ReadWriteStream, NodeJS.WritableStream] {
  const tar = unpackTar(folder, {
    filter: ({ name, type }) => type === 'file' && allowedName.test(path.posix.normalize(name)),
    fmode: 0o600,
    dmode: 0o700,
  });
  return [createGunzip(), tar];
}
