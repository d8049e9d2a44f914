import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { packTar, type TarSource, unpackTar } from 'modern-tar/fs';
import * as z from 'zod';
import { jsonOf } from '../../output/json-text.js';

/** The first entry of a backup: what created it, and how much must follow. */
const manifest = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  made_at: z.string(),
  files: z.record(z.string(), z.int().nonnegative()),
});

export type Manifest = z.output<typeof manifest>;

export const manifestName = 'backup.json';

/** Names allowed in a backup, so that an untrusted one cannot write elsewhere. */
const allowedName =
  /^(?:backup\.json|(?:ledger|results|state)\.db|(?:cursor|pseudonym)\.key|jobs\/[A-Za-z0-9_]+\.(?:ndjson|late|index|sums|kept\.wacz\.warc\.gz)|archive\/[A-Za-z0-9_][A-Za-z0-9_.-]*\.ndjson\.gz)$/;

/** Parses a manifest; null if it is invalid, or of a later format. */
export const parseManifest = (text: string): Manifest | null => manifest.safeParse(jsonOf(text)).data ?? null;

/** A file to pack: its path, and its name in the backup. */
export interface PackedFile {
  readonly source: string;
  readonly name: string;
}

/** Yields the first bytes of a file. Opens it on the first read, because a backup may contain thousands of files. */
async function* firstBytes(file: string, size: number): AsyncGenerator<Buffer, void, undefined> {
  yield* createReadStream(file, { end: size - 1 });
}

/**
 * Packs files into a gzip stream. A growing file is packed at its current length. The stream fails if a file cannot be
 * read.
 */
export async function packFiles(
  files: readonly PackedFile[],
  about: Omit<Manifest, 'format' | 'files'>,
): Promise<{ readonly stream: Readable; readonly manifest: Manifest }> {
  const sizes = await Promise.all(files.map(async ({ source }) => (await stat(source)).size));
  const manifest: Manifest = {
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
  const first: TarSource = { type: 'content', content: JSON.stringify(manifest), target: manifestName, mode };
  const tar = packTar([first, ...sources]);
  const gzip = createGzip();
  tar.on('error', (cause) => gzip.destroy(cause));
  return { stream: tar.pipe(gzip), manifest };
}

/** Returns the two streams that unpack a backup into a folder, skipping names that do not belong there. */
export function unpackInto(folder: string): readonly [NodeJS.ReadWriteStream, NodeJS.WritableStream] {
  const tar = unpackTar(folder, {
    filter: ({ name, type }) => type === 'file' && allowedName.test(path.posix.normalize(name)),
    fmode: 0o600,
    dmode: 0o700,
  });
  return [createGunzip(), tar];
}
