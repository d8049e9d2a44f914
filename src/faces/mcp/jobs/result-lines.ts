import * as z from 'zod';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Json } from '../../../../lib/read/json.js';
import { ndjsonValues } from '../../../output/ndjson-values.js';
import { condense } from '../condense.js';
import { type View, viewOf } from '../view-parameters.js';
import { pathOf, type ServerApi } from './server-api.js';

export interface ResultLine {
  readonly line: number;
  readonly input: Json;
  readonly data?: Json;
  readonly [key: string]: Json | undefined;
}

/** A line as tools show it. */
export const resultLine = z.looseObject({
  line: z.int().min(0).describe('Index of its input, from 0.'),
  input: z.unknown().describe('The parameters.'),
  data: z.unknown().optional().describe('The answer; missing if the call failed.'),
  error: z.unknown().optional().describe('Why the call failed; its price is refunded.'),
});

/** Yields the existing lines of a job from an index, reading more as they are consumed. */
export async function* resultLines(
  server: ServerApi,
  job: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<ResultLine, void, undefined> {
  const bytes = await server.open(pathOf('jobs', job, '/results'), { from: String(from) }, signal);
  let line = from;
  for await (const value of ndjsonValues<Omit<ResultLine, 'line'>>(bytes)) {
    yield { line, ...value } as ResultLine;
    line += 1;
  }
}

/** Returns how to show the lines of an endpoint's job. Throws `invalid_parameter` for an unknown field. */
export function lineView(path: string, args: Readonly<Record<string, unknown>>): View {
  const endpoint: Endpoint | undefined = endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new ExtractError('endpoint_not_found', `There is no endpoint ${path}.`);
  return viewOf(endpoint, args);
}

const defaultTextLimit = 500;

/**
 * Returns as many lines as fit into a context window, at least one, with the selected fields, and notes on what was
 * cut.
 */
export function showLines<Line extends ResultLine>(
  lines: readonly Line[],
  { pick, isChosen, textLimit }: View,
): { readonly shownLines: Json[]; readonly notes: readonly string[] } {
  const selectedLines = lines.map(({ data, ...rest }) => {
    if (data === undefined || data === null || !isChosen)
      return { ...rest, ...(data === undefined ? {} : { data }) };
    return { ...rest, data: Array.isArray(data) ? data.map(pick) : pick(data) };
  });
  const { data, truncations } = condense(selectedLines as unknown as Json, textLimit ?? defaultTextLimit);
  const cut = truncations.filter(({ path }) => path !== 'data').slice(0, 5);
  const truncatedPaths = cut.map(
    ({ path, total, shown }) => `${path.replace(/^data/, 'data.lines')} (${shown} of ${total})`,
  );
  return {
    shownLines: data as Json[],
    notes:
      truncatedPaths.length === 0
        ? []
        : [
            `Texts and lists were truncated, such as ${truncatedPaths.join(', ')}. Call again, free, with fields, limit 1 or text_limit to see more.`,
          ],
  };
}
