import { access } from 'node:fs/promises';
import type { Endpoint } from '../../../lib/endpoint.js';
import { isRecord } from '../../../lib/read/json.js';
import { batchPaths } from '../../files/batch-files/batch-paths.js';
import { readCheckpoint } from '../../files/batch-files/checkpoint.js';
import { type Line, linesOf } from '../../files/batch-files/lines.js';
import { openSource } from '../../files/batch-files/read-inputs.js';
import { workAhead } from '../../files/batch-files/work-ahead.js';
import { mediaOf } from '../../files/media/media-items.js';
import { isBuilt, kindOfName } from '../../files/result-files/file-kind.js';
import { defaultMaxMb } from '../../lines/steps/media.js';
import { jsonOf } from '../../output/json-text.js';
import { requireEndpoint } from './batch/batch-options.js';
import { type Context, withExtractor } from './context.js';
import { ExitStatusError } from './exit-status-error.js';
import { openMedia } from './media.js';
import { RequestedCaptions } from './requested-captions.js';
import { requestedSteps } from './step-options.js';
import { requirePages } from './step-ports.js';
import { UsageError } from './usage-error.js';

interface MediaCommandOptions {
  readonly endpoint?: string;
  readonly mediaMaxMb?: number;
  readonly captions?: boolean;
  readonly demo?: boolean;
  readonly quiet?: boolean;
  readonly dir: string;
}

const linesAtOnce = 8;

/** Returns the file of lines, which a batch with other output keeps next to it. */
async function linesFile(file: string): Promise<string> {
  const kind = kindOfName(file) ?? 'ndjson';
  if (kind === 'csv' || kind === 'tsv')
    throw new UsageError('invalid_parameter', `${file} is a table: use the NDJSON of the same results.`);
  const lines = isBuilt(kind) ? `${file}.ndjson` : file;
  await access(lines).catch(() => {
    throw new UsageError('invalid_parameter', `No such file: ${lines}`);
  });
  return lines;
}

/** Returns the endpoint of the results: as named, or from the batch that wrote them. */
export async function endpointOf(
  { endpoints }: Context,
  lines: string,
  endpointName: string | undefined,
): Promise<Endpoint> {
  if (endpointName !== undefined) return requireEndpoint(endpointName, endpoints);
  const checkpoint = await readCheckpoint(batchPaths(lines).checkpoint, Number.MAX_SAFE_INTEGER);
  if (checkpoint !== null) return requireEndpoint(checkpoint.header.endpoint, endpoints);
  throw new UsageError(
    'missing_parameter',
    `Which endpoint returned these results? Add --endpoint, such as ${endpoints[0]?.path}.`,
  );
}

/** Returns the items of a line: of a batch, of an envelope, or a single item. */
function itemsOf({ text }: Line): readonly unknown[] {
  const value = jsonOf(text);
  if (!isRecord(value)) return [];
  if ('data' in value) return Array.isArray(value.data) ? value.data : [value.data];
  return 'error' in value ? [] : [value];
}

/** Saves the pictures, videos and captions of a file of results. Throws exit status 7 if some failed. */
export async function runMedia(
  context: Context,
  file: string,
  {
    endpoint: endpointName,
    mediaMaxMb: maxMb = defaultMaxMb,
    captions = false,
    demo = false,
    quiet = false,
    dir,
  }: MediaCommandOptions,
): Promise<void> {
  const { signal, stderr } = context;
  const lines = await linesFile(file);
  const endpoint = await endpointOf(context, lines, endpointName);
  const run = {
    kind: 'batch',
    endpoint,
    all: false,
    output: { file: dir, kind: 'ndjson', append: false },
  } as const;
  const requested = await requestedSteps({ media: dir, ...(captions ? { captions } : {}) }, run);
  const source = await openSource(lines);
  await withExtractor(context, {}, async (extractor) => {
    const { config } = extractor;
    requirePages(requested, config);
    const captionFetcher = captions ? new RequestedCaptions(endpoint, context, extractor, demo) : null;
    const media = await openMedia({ endpoint, folder: dir, maxMb, config, demo, signal });
    const save = async (line: Line) => {
      const items = itemsOf(line);
      const captionRefs = (await captionFetcher?.of(items)) ?? [];
      await media.save([...mediaOf(endpoint, items), ...captionRefs]);
      return 'done' as const;
    };
    const ahead = { work: save, atOnce: linesAtOnce, onInterrupt: 'end' } as const;
    try {
      for await (const _ of workAhead(linesOf(source.chunks), ahead));
    } finally {
      await media.close();
      if (!quiet) await stderr.write(`Media: ${media.summary()}\n${captionFetcher?.text() ?? ''}`);
    }
    if (media.failed() > 0 || (captionFetcher?.failed ?? 0) > 0) throw new ExitStatusError(7);
  }).finally(() => source.close());
}
