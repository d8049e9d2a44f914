import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';

/** Longest URL, in characters of its encoded form. */
const maxUrlBytes = 8 * 1024;

/** The parameter of lists that continues after the previous page. */
export const cursorParam = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('`meta.next_cursor` of the previous page.');

export function checkUrl({ raw: { url = '' } }: FastifyRequest): void {
  if (url.length > maxUrlBytes) throw new ExtractError('invalid_parameter', 'The URL is longer than 8 KiB.');
}
