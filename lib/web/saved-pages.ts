import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ExtractError, isErrorCode } from '../errors/extract-error.js';
import type { PageSource } from './page-source.js';
import { decodedBody, type Route, routeSource } from './routes.js';

/** The file of a directory of saved pages that says which body answers which request. */
export const indexName = 'pages.ndjson';

const request = {
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  requestBody: z.string().nullable(),
};

/** One line of it: an answer, or the error that came in place of one. */
const savedPage = z.union([
  z.object({
    ...request,
    status: z.int().min(100).max(999),
    headers: z.record(z.string(), z.string()),
    finalUrl: z.url(),
    file: z.string(),
  }),
  z.object({
    ...request,
    failure: z.object({ code: z.string().refine(isErrorCode), message: z.string() }),
  }),
]);

export type SavedPage = z.infer<typeof savedPage>;

const exactly = (text: string) => `^${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

function routeOf(line: string): Route {
  const { requestBody, ...route } = savedPage.parse(JSON.parse(line));
  return { ...route, requestBody: exactly(decodedBody(requestBody ?? '')) };
}

function readIndex(dir: string): string {
  try {
    return readFileSync(path.join(dir, indexName), 'utf8');
  } catch (cause) {
    throw new ExtractError('invalid_parameter', `There are no saved pages in ${dir}: no ${indexName}.`, {
      cause,
    });
  }
}

/**
 * A source that answers from pages saved earlier, without the network: equal requests in the order of the
 * answers, the last one again and again. Throws `invalid_parameter` for a directory without such pages.
 */
export function fromSavedPages(dir: string): PageSource {
  const lines = readIndex(dir).split('\n');
  const routes = lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [routeOf(line)];
    } catch (cause) {
      const message = `Line ${index + 1} of ${path.join(dir, indexName)} is not a saved page.`;
      throw new ExtractError('invalid_parameter', message, { cause });
    }
  });
  return routeSource(dir, routes);
}
