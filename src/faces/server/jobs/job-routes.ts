import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../../lib/call/call.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { integer } from '../../../../lib/params/vocabulary.js';
import type { Platform } from '../../../../lib/platforms.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { contentTypes } from '../../../files/result-files/file-kind.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import { parseIdempotencyKey } from '../../../service/jobs/idempotency-key.js';
import type { Job } from '../../../service/jobs/job.js';
import { readJobBody } from '../../../service/jobs/job-body.js';
import { jobObject } from '../../../service/jobs/job-objects.js';
import { type JobFields, maxJobBytes, parseJobRequest } from '../../../service/jobs/job-request.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';
import { resultsParams, resultsSender, sendDownload } from '../../../service/jobs/results/results-sender.js';
import { submitJob } from '../../../service/jobs/submit-job.js';
import type { Access } from '../../../service/limits/access.js';
import type { PendingBodies } from '../../../service/limits/pending-bodies.js';
import type { UsageQueries } from '../../../service/usage/ledger-usage.js';
import type { RefusalNotes } from '../../../service/usage/refusal-notes.js';
import { apiRoute, pageOf, queryOf, serveRoute, urlOf } from '../api-route.js';
import { commonHeaders } from '../openapi/responses.js';
import { cursorParam } from '../query.js';
import { createJobRoute } from './create-job-route.js';
import { checkAnnouncedBytes, checkFundsAhead, JobUpload } from './job-upload.js';

/** The name of a job request among an account's refused requests; null for all others. */
export function refusedJob({ method, routeOptions }: FastifyRequest): { readonly path: string } | null {
  return method === 'POST' && routeOptions?.url === urlOf(createJobRoute) ? { path: 'jobs' } : null;
}

/** An account's jobs are created one after the other, because each blocks the loop repeatedly. */
const newJobs = {
  name: 'new jobs',
  maxWaiting: 200,
  refusal: 'Too many jobs are being created concurrently. Try again when one of them has finished.',
};
/**
 * Milliseconds of the loop that a job of one input takes later, for its lines, ledger entries and webhook (measured
 * 2026-11).
 */
const laterMs = 4;

export interface JobDependencies {
  readonly jobs: Jobs;
  readonly services: Services;
  readonly access: Access;
  readonly refusals: RefusalNotes;
  readonly usage: UsageQueries;
  readonly bodies: PendingBodies;
  /** Milliseconds after which a follower that does not read its lines is disconnected. */
  readonly stalledMs: number;
}

/** Each kind of file as text or bytes. */
const resultsContent = Object.fromEntries(
  Object.entries(contentTypes).map(([kind, type]) => [
    type.replace(/;.*/, ''),
    {
      schema: kind === 'ndjson' || kind === 'csv' ? { type: 'string' } : { type: 'string', format: 'binary' },
    },
  ]),
);

export const jobRoutes = {
  list: apiRoute({
    method: 'get',
    path: '/jobs',
    operationId: 'list_jobs',
    summary: 'The jobs of the account, newest first',
    params: { limit: integer(1, 100, 'Jobs a page.').default(20), cursor: cursorParam },
    answer: { description: 'A page of jobs.', data: jobObject, many: true, isPaged: true },
  }),
  get: apiRoute({
    method: 'get',
    path: '/jobs/{id}',
    operationId: 'get_job',
    summary: 'A job',
    answer: { description: 'The job.', data: jobObject },
  }),
  cancel: apiRoute({
    method: 'post',
    path: '/jobs/{id}/cancel',
    operationId: 'cancel_job',
    summary: 'Cancel a job: inputs that have not run become error lines and are refunded',
    answer: { description: 'The job.', data: jobObject },
    refusals: [409],
  }),
  results: apiRoute({
    method: 'get',
    path: '/jobs/{id}/results',
    operationId: 'get_job_results',
    summary: 'The results: one NDJSON line per input, in order, or a file',
    description:
      'While the job runs, the lines that are ready so far. With `format`, a CSV, XLSX, SQLite or Parquet file once the job has finished. Supports byte ranges and gzip. Deleted at the `results_expire_at` of the job: seven days after its end, unless the operator has set others.',
    params: resultsParams,
    responses: {
      200: {
        description:
          'The lines: `{"input":…,"data":…}`, with `sources`, `left_out`, `changed` and `removed` if the job requests them, or `{"input":…,"error":…}`.',
        headers: commonHeaders,
        content: resultsContent,
      },
      206: {
        description: 'The bytes requested by `Range`.',
        headers: commonHeaders,
        content: resultsContent,
      },
    },
    refusals: [409, 410, 416],
  }),
};

/** Parses an upload's fields and releases its memory. Rejects like `readJobBody`. */
async function fieldsOf(upload: unknown, account: string): Promise<JobFields> {
  if (!(upload instanceof JobUpload)) return readJobBody(undefined, account);
  try {
    return await readJobBody(upload.bytes, account);
  } finally {
    upload.release();
  }
}

/** Returns an account's job. Rejects `job_not_found`, also for a job of a platform that the key may not call. */
export async function findJob(
  { jobs }: Pick<JobDependencies, 'jobs'>,
  { account, platforms }: Pick<KeyOwner, 'account' | 'platforms'>,
  id: string,
): Promise<Job> {
  const job = await jobs.store.find(account, id);
  const platform = job.endpoint.split('/', 1)[0] as Platform;
  if (platforms?.includes(platform) === false) throw new ExtractError('job_not_found');
  return job;
}

/** Adds the routes that create, show and cancel jobs, and return their results. */
export function addJobRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services, access, refusals, bodies } = dependencies;
  const holders = new WeakMap<FastifyRequest, KeyOwner>();

  app.register(async (large) => {
    // These routes read the body in chunks, instead of the other routes' parser.
    large.removeAllContentTypeParsers();
    large.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
      JobUpload.receive(payload, (holders.get(request) as KeyOwner).account),
    );
    large.post(
      urlOf(createJobRoute),
      {
        bodyLimit: maxJobBytes,
        // Before the body is read, so that callers without a key cannot make the server buffer 16 MiB.
        onRequest: async (request, reply) => {
          const holder = await access.admit(request, reply);
          holders.set(request, holder);
          await checkFundsAhead(dependencies, holder, request);
          checkAnnouncedBytes(request);
          await bodies.hold(request, reply, holder.account);
        },
        // Before the error is sent, which records it.
        errorHandler: (error, request, reply) => {
          const holder = holders.get(request);
          if (holder !== undefined) refusals.remember(holder, error);
          // The rest of an unread body stays with its client.
          if (!request.raw.complete) reply.header('connection', 'close');
          return app.errorHandler(error, request, reply);
        },
      },
      async (request, reply) => {
        const { account } = holders.get(request) as KeyOwner;
        queryOf(createJobRoute, request);
        const { answer: text, replayed } = await accountTurns.run(newJobs, account, async () => {
          await accountTurns.next(account, laterMs);
          const order = await parseJobRequest(await fieldsOf(request.body, account), jobs.endpoints, account);
          // The key may have been revoked or limited while the body arrived.
          const holder = await access.ownerOf(request);
          access.checkPlatform(holder, order.endpoint.platform);
          const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
          return submitJob(
            jobs,
            { account, key: holder.key, request: order, idempotencyKey },
            (data, credits) =>
              JSON.stringify({ data, meta: { request_id: request.id, credits_remaining: credits } }),
          );
        });
        reply.code(202).header('Cache-Control', 'no-store').type('application/json; charset=utf-8');
        if (replayed) reply.header('Idempotent-Replayed', 'true');
        return reply.send(text);
      },
    );
  });

  serveRoute(app, dependencies, jobRoutes.list, async ({ owner: { account, platforms }, query }) => {
    const { before, nextCursor } = await pageOf(services, ['jobs', account], query.cursor);
    const { jobs: data, next } = await jobs.store.list(account, query.limit, before, platforms);
    return { data, next: nextCursor(next) };
  });

  serveRoute(app, dependencies, jobRoutes.get, async ({ owner, id }) => ({
    data: await findJob(dependencies, owner, id),
  }));

  serveRoute(app, dependencies, jobRoutes.cancel, async ({ owner, id }) => {
    const job = await findJob(dependencies, owner, id);
    const data = await jobs.store.cancel(owner.account, job.id);
    jobs.wake();
    return { data };
  });

  const admitToJob = async (request: FastifyRequest, reply: FastifyReply) => {
    const owner = await access.admit(request, reply);
    const { id } = await findJob(dependencies, owner, (request.params as { readonly id: string }).id);
    return { account: owner.account, id };
  };

  const sendResults = resultsSender(app, dependencies);
  app.get(urlOf(jobRoutes.results), async (request, reply) => {
    const { account, id } = await admitToJob(request, reply);
    return sendResults(request, reply, account, id);
  });

  // Archives created by earlier versions, until they expire; not part of the described API.
  app.get('/v1/jobs/:id/archive', async (request, reply) => {
    const job = await admitToJob(request, reply);
    return sendDownload(jobs, services, request, reply, { ...job, kind: 'wacz' });
  });
}
