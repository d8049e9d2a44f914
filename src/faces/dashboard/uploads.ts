import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { maxJobBytes } from '../../service/jobs/job-request.js';

/**
 * A file of a form, or a long text, which has no name. A form whose file was left out holds one without name and
 * content.
 */
export class UploadedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly #truncated: boolean;

  constructor(name: string, content: Buffer, cut: boolean) {
    this.name = name;
    this.content = content;
    this.#truncated = cut;
  }

  get isGiven(): boolean {
    return this.name !== '' || this.content.length > 0;
  }

  /** All of it. Throws `body_too_large` for one that was longer than is taken. */
  completeContent(): Buffer {
    if (this.#truncated || this.content.length > maxJobBytes) {
      throw new ExtractError(
        'body_too_large',
        `At most ${maxJobBytes / 1024 ** 2} MiB are taken. Split the inputs over several jobs.`,
      );
    }
    return this.content;
  }
}

/** Bytes at most of a value that is no file. It is decoded at once, and parsed where it says that it is JSON. */
const maxFieldBytes = 16 * 1024;

/**
 * Lets the routes of a scope take forms with files, bounded. A file is an `UploadedFile` among the body's values, and
 * so are the fields that `longTexts` names.
 */
export async function acceptUploads(app: FastifyInstance, longTexts: readonly string[]): Promise<void> {
  await app.register(multipart, {
    attachFieldsToBody: 'keyValues',
    throwFileSizeLimit: false,
    isPartAFile: (name, type, file) =>
      file !== undefined || type === 'application/octet-stream' || longTexts.includes(name ?? ''),
    limits: {
      fileSize: maxJobBytes,
      fieldSize: maxFieldBytes,
      files: 1 + longTexts.length,
      fields: 16,
      fieldNameSize: 100,
      headerPairs: 20,
    },
    async onFile(part) {
      const content = await part.toBuffer();
      part.value = new UploadedFile(part.filename ?? '', content, part.file.truncated);
    },
  });
}
