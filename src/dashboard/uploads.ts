import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { maxJobBytes } from '../jobs/job-request.js';

/** A file of a form. A form whose file was left out holds one without name and content. */
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

/** Lets the routes of a scope take forms with files, bounded; a file is an `UploadedFile` among the body's values. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    attachFieldsToBody: 'keyValues',
    throwFileSizeLimit: false,
    limits: {
      fileSize: maxJobBytes,
      // One more than is taken, so that what was cut is known by its length.
      fieldSize: maxJobBytes + 1,
      files: 1,
      fields: 10,
      fieldNameSize: 100,
      headerPairs: 20,
    },
    async onFile(part) {
      const content = await part.toBuffer();
      part.value = new UploadedFile(part.filename ?? '', content, part.file.truncated);
    },
  });
}
