import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Services } from '../../../../lib/call/call.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { parseParams } from '../../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../../lib/params/query.js';
import { choice, flag, integer } from '../../../../lib/params/vocabulary.js';
import { contentTypes, fileKinds } from '../../../files/result-files/file-kind.js';
import { maxInputs } from '../job-limits.js';
import type { Jobs } from '../open-jobs.js';
import { byteRange, rangeHeader, sendRangeFault } from './byte-range.js';
import type { OpenResults } from './job-results.js';
import { alternating, bodyOf } from './positioned.js';
import type { Download, DownloadKind } from './result-downloads.js';
import { sendFile } from './send-file.js';

/** Query parameters of a job's results. */
export const resultsParams = {
  wait: flag('Follow the job: send lines as they become final, until its end.').default(false),
  from: integer(0, maxInputs, 'Start with the line of this input; the first is 0.').default(0),
  format: choice(
    fileKinds,
    'What to send: the lines, or a file built from all of them once the job has finished.',
  ).default('ndjson'),
};

const route = { path: 'jobs/{id}/results', params: resultsParams, exactlyOne: null, renamed: {} };

function acceptsGzip({ headers }: FastifyRequest): boolean {
  const encodings = String(headers['accept-encoding'] ?? '').toLowerCase();
  return /(?:^|[\s,])(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?:1(?:\.0*)?|0?\.0*[1-9]\d*)\s*)?(?:,|$)/.test(encodings);
}

/** Compresses a stream and flushes after each chunk, because a follower waits for lines, not for full blocks. */
async function* compressChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH, level: constants.Z_BEST_SPEED });
  const feeding = pipeline(chunks, gzip);
  // The reader below receives its errors.
  feeding.catch(() => undefined);
  yield* gzip as AsyncIterable<Buffer>;
}

/**
 * Reads the first chunk before the head is sent, so that damage there becomes an error response instead of a truncated
 * stream.
 */
async function afterFirstChunk(
  chunks: AsyncGenerator<Buffer>,
): Promise<AsyncGenerator<Buffer, void, undefined>> {
  const first = await chunks.next();
  return (async function* joined() {
    if (first.done === true) return;
    yield first.value;
    yield* chunks;
  })();
}

type SendResults = (
  request: FastifyRequest,
  reply: FastifyReply,
  account: string,
  id: string,
) => Promise<FastifyReply>;

interface ResultsDependencies {
  readonly jobs: Pick<Jobs, 'store' | 'results' | 'downloads'>;
  readonly services: Pick<Services, 'docsBase'>;
  /** Milliseconds after which a follower that does not read its lines is disconnected. */
  readonly stalledMs: number;
}

/** Returns a file's version. Creating it again, possibly on another server, need not give the same bytes. */
async function etagOf({ handle, edition }: Download): Promise<string> {
  const { size, mtimeMs } = await handle.stat();
  const digest = createHash('sha256')
    .update(JSON.stringify([edition, size, mtimeMs]))
    .digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

/** Sends a file created from a job's results, or its archive: completely, or a range. */
export async function sendDownload(
  { downloads }: Pick<Jobs, 'downloads'>,
  { docsBase }: Pick<Services, 'docsBase'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, id, kind }: { readonly account: string; readonly id: string; readonly kind: DownloadKind },
): Promise<FastifyReply> {
  const download = await downloads.open(account, id, kind);
  reply
    .header('ETag', await etagOf(download))
    .header('Cache-Control', 'no-store')
    .header('Content-Disposition', `attachment; filename="${id}.${kind}"`)
    .type(kind === 'wacz' ? 'application/wacz' : contentTypes[kind]);
  return sendFile(request, reply, account, download.handle, docsBase);
}

/** Returns the handler for results, by key or session: complete, a range, or followed to the job's end. */
export function resultsSender(
  app: FastifyInstance,
  { jobs, services, stalledMs }: ResultsDependencies,
): SendResults {
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    account: string,
    id: string,
  ): Promise<FastifyReply> {
    const { wait, from, format } = parseParams(route, parseQuery(queryText(request)), true) as {
      readonly [Name in keyof typeof resultsParams]: z.output<(typeof resultsParams)[Name]>;
    };
    if (format !== 'ndjson') {
      if (wait || from > 0) {
        throw new ExtractError(
          'conflicting_parameters',
          '`wait` and `from` only work with lines: omit `format`.',
        );
      }
      return sendDownload(jobs, services, request, reply, { account, id, kind: format });
    }
    const results = await jobs.results.open(account, id);
    const gzip = acceptsGzip(request);
    reply
      .header('Cache-Control', 'no-store')
      .header('Accept-Ranges', 'bytes')
      .header('Vary', 'Accept-Encoding')
      .type('application/x-ndjson; charset=utf-8');
    // A cancelled job has finished although its last lines are still being written.
    const finished = (await jobs.store.find(account, id)).finished_at !== null;
    if (!results.isComplete && (wait || finished)) return sendFollowed(reply, results, from, gzip);
    return sendStored(request, reply, account, results, from, gzip);
  }

  async function sendStored(
    request: FastifyRequest,
    reply: FastifyReply,
    account: string,
    results: OpenResults,
    line: number,
    gzip: boolean,
  ): Promise<FastifyReply> {
    const begin = (await results.offsetOf(line)) ?? results.bytes;
    const size = results.bytes - begin;
    const range = byteRange(rangeHeader(request, reply), size);
    if (range === 'none') return sendRangeFault(request, reply, size, services.docsBase);
    if (range !== null) {
      const { from, to } = range;
      const bytes = await afterFirstChunk(results.read(begin + from, begin + to));
      // The final size of a running job is unknown.
      reply.code(206).header('Content-Range', `bytes ${from}-${to - 1}/${results.isComplete ? size : '*'}`);
      reply.header('Content-Length', to - from);
      return reply.send(bodyOf(account, bytes));
    }
    const bytes = await afterFirstChunk(results.read(begin, results.bytes));
    if (gzip) {
      reply.header('Content-Encoding', 'gzip');
      return reply.send(Readable.from(compressChunks(alternating(account, bytes)), { objectMode: false }));
    }
    reply.header('Content-Length', size);
    return reply.send(bodyOf(account, bytes));
  }

  function sendFollowed(
    reply: FastifyReply,
    results: OpenResults,
    line: number,
    gzip: boolean,
  ): FastifyReply {
    const follower = new AbortController();
    followers.add(follower);
    reply.raw.once('close', () => {
      followers.delete(follower);
      follower.abort(new DOMException('The client has left.', 'AbortError'));
    });
    // A line may take long, so only a client that does not read what it was sent is disconnected.
    reply.raw.setTimeout(stalledMs, () => {
      if (reply.raw.writableLength > 0) reply.raw.destroy();
    });
    const lines = results.follow(line, follower.signal);
    if (gzip) reply.header('Content-Encoding', 'gzip');
    const body = Readable.from(gzip ? compressChunks(lines) : lines, { objectMode: false });
    // Sends the head before the first line. A later error ends the stream instead of becoming a response.
    reply.raw.once('pipe', () => reply.raw.flushHeaders());
    return reply.send(body);
  }

  // Followers would delay the shutdown, so they are disconnected and see that the end is missing.
  const followers = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const follower of followers) follower.abort(new DOMException('The server stops.', 'AbortError'));
  });
  return send;
}
