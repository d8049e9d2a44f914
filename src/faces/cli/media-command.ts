import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Endpoint } from '../../../lib/endpoint.js';
import { batchPaths } from '../../files/batch-files/batch-paths.js';
import { readCheckpoint } from '../../files/batch-files/checkpoint.js';
import { workAhead } from '../../files/batch-files/work-ahead.js';
import { mediaOf } from '../../files/media/media-items.js';
import { textLines } from '../../files/result-files/answer-lines.js';
import { isBuilt, kindOfName } from '../../files/result-files/file-kind.js';
import { requireEndpoint, requireMedia } from './batch/batch-options.js';
import { type Context, withExtractor } from './context.js';
import { ExitStatusError } from './exit-status-error.js';
import { mediaText, openMedia } from './media.js';
import { UsageError } from './usage-error.js';

interface MediaCommandOptions {
  readonly endpoint?: string;
  readonly mediaMaxMb: number;
  readonly quiet?: boolean;
  readonly dir: string;
}

/** Lines whose pictures are saved at once. */
const linesAtOnce = 8;

/** The file of the lines: a batch whose output is of another kind has them beside it. */
async function linesFile(file: string): Promise<string> {
  const kind = kindOfName(file) ?? 'ndjson';
  if (kind === 'csv' || kind === 'tsv')
    throw new UsageError('invalid_parameter', `${file} is a table: name the NDJSON of the same results.`);
  const lines = isBuilt(kind) ? `${file}.ndjson` : file;
  await access(lines).catch(() => {
    throw new UsageError('invalid_parameter', `There is no file ${lines}.`);
  });
  return lines;
}

/** The endpoint that the results are of: the one named, or that of the batch which wrote them. */
export async function endpointOf(
  { endpoints }: Context,
  lines: string,
  named: string | undefined,
): Promise<Endpoint> {
  if (named !== undefined) return requireEndpoint(named, endpoints);
  const stored = await readCheckpoint(batchPaths(lines).checkpoint, Number.MAX_SAFE_INTEGER);
  if (stored !== null) return requireEndpoint(stored.header.endpoint, endpoints);
  throw new UsageError(
    'missing_parameter',
    `Which endpoint are these results of? --endpoint names it, such as ${endpoints[0]?.path}.`,
  );
}

/** The items of a line: of a batch, of an answer in its envelope, or a bare item. */
function itemsOf(line: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (value === null || typeof value !== 'object') return [];
  if ('data' in value) return Array.isArray(value.data) ? value.data : [value.data];
  return 'error' in value ? [] : [value];
}

async function* linesOf(file: string): AsyncGenerator<string, void, undefined> {
  for await (const lines of textLines(createReadStream(file, { highWaterMark: 64 * 1024 }))) yield* lines;
}

/** Saves the pictures and videos of a file of results: status 7 where some failed. */
export async function runMedia(
  context: Context,
  file: string,
  { endpoint: named, mediaMaxMb: maxMb, quiet = false, dir }: MediaCommandOptions,
): Promise<void> {
  const { signal, stderr } = context;
  const lines = await linesFile(file);
  const endpoint = await endpointOf(context, lines, named);
  requireMedia(endpoint, context.endpoints);
  await withExtractor(context, {}, async ({ config }) => {
    const media = await openMedia({ endpoint, folder: dir, maxMb, config, demo: false });
    const save = async (line: string) => {
      const saving = mediaOf(endpoint, itemsOf(line)).map((one) => media.folder.save(one, signal));
      await Promise.all(saving);
      return 'done' as const;
    };
    try {
      for await (const _ of workAhead(linesOf(lines), save, linesAtOnce));
    } finally {
      await media.close();
      if (!quiet) await stderr.write(`Media: ${mediaText(media.folder.totals)}\n`);
    }
    if (media.folder.totals.failed > 0) throw new ExitStatusError(7);
  });
}
