import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { maxJobBytes } from '../../service/jobs/job-request.js';

/** A file in a form, or a long text, which has no name. Without a chosen file, name and content are empty. */
export class UploadedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly #truncated: boolean;

  constructor(name: string, content: Buffer, cut: boolean) {
    this.name = name;
    this.content = content;
    this.#truncated = cut;
  }

  get hasContent(): boolean {
    return this.name !== '' || this.content.length > 0;
  }

  /** Returns the complete content. Throws `body_too_large` if it exceeded the limit. */
  completeContent(): Buffer {
    if (this.#truncated || this.content.length > maxJobBytes) {
      throw new ExtractError(
        'body_too_large',
        `The maximum is ${maxJobBytes / 1024 ** 2} MiB. Split the inputs into several jobs.`,
      );
    }
    return this.content;
  }
}

/** Maximum bytes of an ordinary value, which is decoded in one go, and parsed if declared as JSON. */
const maxFieldBytes = 16 * 1024;

/**
 * Lets routes accept forms with files, within limits. A file is an `UploadedFile` among the body's values, and so are
 * the fields in `longTexts`.
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
