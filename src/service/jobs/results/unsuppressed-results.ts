import type { Services } from '../../../../lib/call/call.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import type { Job } from '../job.js';
import type { StoredJobs } from '../stored-jobs.js';
import type { JobResults, OpenResults } from './job-results.js';
import { chunkBytes, type LinesSource } from './results-files.js';
import { unsuppressedLine } from './unsuppressed-line.js';

/** Returns a line as it may be shown; unchanged if it mentions no suppressed subject. */
type FilterLine = (line: Buffer) => Buffer;

type JobOfLines = Pick<Job, 'id' | 'endpoint'>;

/** The lines of a finished job as they may be shown now. */
export interface ReturnedLines {
  /** Changes with the subjects that are omitted or were forgotten; empty for none. */
  readonly edition: string;
  /** Finds the subjects to omit; null for none. */
  readonly traces: Traces | null;
  /** Yields small chunks, between which other requests run. */
  read(): AsyncIterable<Buffer>;
}

/** The lines of finished jobs without the subjects suppressed when they are opened. */
export interface LinesToReturn extends Pick<LinesSource, 'isKept'> {
  open(job: JobOfLines): Promise<ReturnedLines>;
}

/** Yields complete lines as they may be shown, from bytes that begin and end with a line. */
async function* returnedBytes(
  chunks: AsyncIterable<Buffer>,
  filter: FilterLine,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      lines.push(filter(Buffer.concat([...rest, chunk.subarray(from, end + 1)])));
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
    if (lines.length > 0) yield Buffer.concat(lines);
  }
}

async function lineBegin(results: OpenResults, position: number): Promise<number> {
  for (let end = position; end > 0; ) {
    const begin = Math.max(0, end - chunkBytes);
    const chunks: Buffer[] = [];
    for await (const chunk of results.read(begin, end)) chunks.push(Buffer.from(chunk));
    const lineFeed = Buffer.concat(chunks).lastIndexOf(0x0a);
    if (lineFeed >= 0) return begin + lineFeed + 1;
    end = begin;
  }
  return 0;
}

/** Returns results with each line as it may be shown. Positions stay valid, because lines keep their length. */
function returnedResults(results: OpenResults, filter: FilterLine): OpenResults {
  return {
    ...results,
    async *read(from, to) {
      if (from >= to || to > results.bytes) return yield* results.read(from, to);
      let position = await lineBegin(results, from);
      for await (const bytes of returnedBytes(results.read(position, results.bytes), filter)) {
        yield bytes.subarray(Math.max(0, from - position), Math.max(0, to - position));
        position += bytes.length;
        if (position >= to) return;
      }
    },
    async *pick(lines) {
      for await (const line of results.pick(lines)) yield filter(line);
    },
    follow: (line, signal) => returnedBytes(results.follow(line, signal), filter),
  };
}

export interface LeavingOut {
  readonly services: Pick<Services, 'suppressed' | 'docsBase'>;
  readonly endpoints: readonly Endpoint[];
}

/** Returns a function that removes the currently suppressed subjects from lines of a job; null if there are none. */
async function lineFilter(
  { services, endpoints }: LeavingOut,
  path: string,
): Promise<Pick<ReturnedLines, 'edition' | 'traces'> & { readonly filter: FilterLine | null }> {
  const suppressed = (await services.suppressed?.()) ?? null;
  const endpoint = endpoints.find((one) => one.path === path);
  const edition = endpoint === undefined ? '' : (suppressed?.edition(endpoint) ?? '');
  if (suppressed === null || endpoint === undefined || edition === '')
    return { edition, traces: null, filter: null };
  const traces = suppressed.tracesOn(endpoint);
  return {
    edition,
    traces,
    filter: (line) => unsuppressedLine(line, { endpoint, suppressed, docsBase: services.docsBase }),
  };
}

/**
 * Returns stored results without subjects suppressed since. The stored bytes are unchanged, so that a subject allowed
 * again reappears.
 */
export function unsuppressedResults(
  results: JobResults,
  store: Pick<StoredJobs, 'find'>,
  leavingOut: LeavingOut,
): JobResults {
  return {
    async open(account, id) {
      const stored = await results.open(account, id);
      const { filter } = await lineFilter(leavingOut, (await store.find(account, id)).endpoint);
      return filter === null ? stored : returnedResults(stored, filter);
    },
  };
}

/** Returns the lines that files are created from, likewise without suppressed subjects. */
export function unsuppressedLines(lines: LinesSource, leavingOut: LeavingOut): LinesToReturn {
  return {
    isKept: (id) => lines.isKept(id),
    async open({ id, endpoint }) {
      const { edition: leftOut, traces, filter } = await lineFilter(leavingOut, endpoint);
      const edition = [await lines.edition(id), leftOut].filter((part) => part !== '').join('-');
      const readLines = () => (filter === null ? lines.read(id) : returnedBytes(lines.read(id), filter));
      return { edition, traces, read: readLines };
    },
  };
}
