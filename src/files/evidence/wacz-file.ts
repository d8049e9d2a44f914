import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Entry, openPromise } from 'yauzl';
import * as z from 'zod';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { jsonOf } from '../../output/json-text.js';
import type { Segment } from './segment.js';

export const manifestName = 'datapackage.json';
export const manifestDigestName = 'datapackage-digest.json';
export const warcFolder = 'archive/';

/** The ZIP comment is the digest of all bytes before it, so that any change is noticed. */
const commentStart = 'sha256:';
const digestDigits = 64;
export const emptyComment = `${commentStart}${'0'.repeat(digestDigits)}`;

const manifest = z.object({
  wacz_version: z.string(),
  software: z.string(),
  created: z.string(),
  resources: z.array(z.object({ path: z.string(), hash: z.string(), bytes: z.int().nonnegative() })),
});
const manifestDigest = z.object({ path: z.literal(manifestName), hash: z.string() });

export type Manifest = z.infer<typeof manifest>;

/** A file inside a WACZ. It is stored uncompressed, so it is a byte range of the archive. */
interface StoredFile extends Omit<Segment, 'name'> {
  readonly path: string;
}

async function digestOf({ file, start, size }: Omit<Segment, 'name'>): Promise<string> {
  const hash = createHash('sha256');
  if (size > 0) {
    for await (const chunk of createReadStream(file, { start, end: start + size - 1 })) hash.update(chunk);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** Writes the digest of a file into its comment, which must exist and be empty. */
export async function writeFileDigest(file: string): Promise<string> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    const at = size - digestDigits;
    const digest = await digestOf({ file, start: 0, size: at });
    await handle.write(digest.slice(commentStart.length), at, 'latin1');
    await handle.sync();
    return digest;
  } finally {
    await handle.close();
  }
}

async function storedFiles(
  file: string,
): Promise<{ readonly files: StoredFile[]; readonly comment: string }> {
  const zip = await openPromise(file, { autoClose: false });
  try {
    const files: StoredFile[] = [];
    for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
      if (entry.compressionMethod !== 0) throw new Error(`${entry.fileName} is compressed`);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      if (fileDataStart + entry.compressedSize > zip.fileSize)
        throw new Error(`${entry.fileName} is truncated`);
      files.push({ path: entry.fileName, file, start: fileDataStart, size: entry.compressedSize });
    }
    return { files, comment: String(zip.comment) };
  } finally {
    zip.close();
  }
}

async function textOf({ file, start, size }: StoredFile): Promise<string> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(size);
    await handle.read(buffer, 0, size, start);
    return buffer.toString();
  } finally {
    await handle.close();
  }
}

export class AlteredEvidence extends ExtractError {
  constructor(file: string, what: string, cause?: unknown) {
    const message = `The archive ${file} was altered: ${what}.`;
    super('invalid_parameter', message, cause === undefined ? {} : { cause });
  }
}

/** Explains why an archive cannot be opened; the ZIP library's own message would not help. */
function unopened(file: string, cause: unknown): ExtractError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EISDIR') return invalidParameter(`${file} is a folder: choose the archive in it.`, { cause });
  const reason = message.startsWith('End of central directory record signature not found')
    ? 'it is not an archive, or its end is missing'
    : `it cannot be opened (${message})`;
  return new AlteredEvidence(file, reason, cause);
}

/** A complete archive: its manifest, its WARC files, and its digest. */
export interface WaczFile {
  readonly manifest: Manifest;
  readonly segments: readonly Segment[];
  readonly digest: string;
}

/**
 * Opens an archive and verifies the digests of the archive, the manifest and its files. Throws `invalid_parameter` for
 * the first mismatch.
 */
export async function openWacz(file: string): Promise<WaczFile> {
  let opened: Awaited<ReturnType<typeof storedFiles>>;
  try {
    opened = await storedFiles(file);
  } catch (cause) {
    throw unopened(file, cause);
  }
  const { files, comment } = opened;
  const fileNamed = (path: string) => {
    const listedFile = files.find((one) => one.path === path);
    if (listedFile === undefined) throw new AlteredEvidence(file, `${path} is not in it`);
    return listedFile;
  };
  const manifestFile = fileNamed(manifestName);
  const digestFile = manifestDigest.safeParse(jsonOf(await textOf(fileNamed(manifestDigestName))));
  if (digestFile.data?.hash !== (await digestOf(manifestFile)))
    throw new AlteredEvidence(file, `${manifestName} was changed`);
  const about = manifest.safeParse(jsonOf(await textOf(manifestFile)));
  if (!about.success)
    throw new AlteredEvidence(file, `${manifestName} is not the manifest of an archive`, about.error);
  for (const { path, hash, bytes } of about.data.resources) {
    const resource = fileNamed(path);
    if (resource.size !== bytes || (await digestOf(resource)) !== hash)
      throw new AlteredEvidence(file, `${path} was changed`);
  }
  const { size } = await stat(file);
  const digest = await digestOf({ file, start: 0, size: size - digestDigits });
  if (comment !== digest) throw new AlteredEvidence(file, 'its bytes do not match the digest at its end');
  const listed = new Set(about.data.resources.map(({ path }) => path));
  return {
    manifest: about.data,
    digest,
    segments: files
      .filter(({ path }) => path.startsWith(warcFolder) && listed.has(path))
      .map(({ path, ...range }) => ({ name: path.slice(warcFolder.length), ...range })),
  };
}
