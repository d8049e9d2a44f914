import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { compose, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { packTar, type TarSource, unpackTar } from 'modern-tar/fs';
import * as z from 'zod';
import { jsonOf } from '../../output/json-text.js';

/** Maximum bytes of a manifest: names and sizes of a million files. */
const maxManifestBytes = 64 * 1024 * 1024;

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
  /^(?:(?:ledger|results|state)\.db|(?:cursor|pseudonym)\.key|jobs\/[A-Za-z0-9_]+\.(?:ndjson|late|index|sums|kept\.wacz\.warc\.gz)|archive\/[A-Za-z0-9_][A-Za-z0-9_.-]*\.ndjson\.gz)$/;

/** Reads the manifest of a backup; null if it is missing, invalid, or of a later format. */
export async function readManifest(file: string): Promise<Manifest | null> {
  const gunzip = createGunzip();
  // A truncated file may only fail once the manifest is read, when nothing else listens any more.
  gunzip.on('error', () => undefined);
  const tar = Readable.toWeb(compose(createReadStream(file), gunzip));
  for await (const { header, body } of tar.pipeThrough(createTarDecoder())) {
    if (header.name !== manifestName || header.size > maxManifestBytes) return null;
    return manifest.safeParse(jsonOf(await new Response(body).text())).data ?? null;
  }
  return null;
}

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

/**
 * Returns the two streams that unpack a backup into a folder. Skips what the manifest does not name with its size, so a
 * small file cannot unpack to more than it says.
 */
export function unpackInto(
  folder: string,
  { files }: Manifest,
): readonly [NodeJS.ReadWriteStream, NodeJS.WritableStream] {
  const tar = unpackTar(folder, {
    filter: ({ name, size, type }) =>
      type === 'file' && allowedName.test(name) && Object.hasOwn(files, name) && files[name] === size,
    fmode: 0o600,
    dmode: 0o700,
  });
  return [createGunzip(), tar];
}
