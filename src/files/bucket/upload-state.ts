import { readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { jsonOf } from '../../output/json-text.js';

const state = z.strictObject({
  extract_upload: z.literal(1),
  /** The object, as `s3://bucket/key`. */
  to: z.string(),
  /** The storage's ID of the upload. */
  upload: z.string(),
  /** Our mark, which identifies the finished object. */
  mark: z.string(),
  /** Uploaded parts, in order, with the SHA-256 of their bytes. */
  parts: z.array(z.strictObject({ size: z.int().min(1), sha256: z.string(), etag: z.string() })),
});

export type UploadState = z.output<typeof state>;
export type UploadedPart = UploadState['parts'][number];

export const uploadStateFile = (file: string) => `${file}.upload`;

/** Reads the upload state of a file; null if it is missing or unreadable. */
export async function readUploadState(file: string): Promise<UploadState | null> {
  try {
    return state.safeParse(jsonOf(await readFile(uploadStateFile(file), 'utf8'))).data ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes the upload state of a file atomically. */
export async function writeUploadState(file: string, uploadState: UploadState): Promise<void> {
  const draft = `${uploadStateFile(file)}.new`;
  await writeFile(draft, JSON.stringify(uploadState), { mode: 0o600, flush: true });
  await moveFile(draft, uploadStateFile(file));
}

export async function forgetUploadState(file: string): Promise<void> {
  await rm(uploadStateFile(file), { force: true });
}
