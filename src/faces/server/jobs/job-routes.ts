import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Services } from '../../../../lib/call/call.js';
import { firstPosition, openCursor, sealCursor } from '../../../../lib/call/cursor.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { parseParams } from '../../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../../lib/params/query.js';
import { integer } from '../../../../lib/params/vocabulary.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import type { Job } from '../../../service/jobs/job.js';
import { readJobBody } from '../../../service/jobs/job-body.js';
import {
  type JobFields,
  maxJobBytes,
  parseIdempotencyKey,
  parseJobRequest,
} from '../../../service/jobs/job-request.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';
import { resultsSender } from '../../../service/jobs/results/results-sender.js';
import { submitJob } from '../../../service/jobs/submit-job.js';
import type { BodiesUnderWay } from '../../../service/limits/bodies-under-way.js';
import type { RefusalNotes } from '../../../service/usage/refusal-notes.js';
import type { UsageQueries } from '../../../service/usage/usage-queries.js';
import type { Access } from '../access.js';
import { cursorParam } from '../query.js';
import { checkAnnouncedBytes, checkFundsAhead, JobUpload } from './job-upload.js';

/** The name of a request for a job among an account's refused requests; null for all others. */
export function refusedJob({ method, routeOptions }: FastifyRequest): { readonly path: string } | null {
  return method === 'POST' && routeOptions?.url === jobsPath ? { path: 'jobs' } : null;
}

const jobsPath = '/v1/jobs';

export interface JobDependencies {
  readonly jobs: Jobs;
  readonly services: Services;
  readonly access: Access;
  /** Learns whose jobs were refused. */
  readonly refusals: RefusalNotes;
  readonly usage: UsageQueries;
  readonly bodies: BodiesUnderWay;
  /** Milliseconds after which a follower that does not take its lines is let go. */
  readonly stalledMs: number;
}

/** Parameters of the list of jobs. */
export const jobListParams = {
  limit: integer(1, 100, 'Jobs a page.').default(20),
  cursor: cursorParam,
};

const route = (path: string, params = {}) => ({ path, params, exactlyOne: null, renamed: {} });
const listRoute = route('jobs', jobListParams);

/** The fields of what was sent, whose memory is given back. Rejects as `readJobBody` does. */
async function fieldsOf(upload: unknown): Promise<JobFields> {
  if (!(upload instanceof JobUpload)) return readJobBody(undefined);
  try {
    return await readJobBody(upload.bytes);
  } finally {
    upload.release();
  }
}

/** Refuses parameters where a route has none. */
export function withoutParameters(request: FastifyRequest, path: string): void {
  parseParams(route(path), parseQuery(queryText(request)), true);
}

export const jobIdOf = (request: FastifyRequest) => (request.params as { readonly id: string }).id;

/**
 * The account of a request's key, and the job in its path. Rejects as `Access.admit` does, and `job_not_found` for a
 * job that the key may not know of, too: one of another platform than it may call.
 */
export async function admitToJob(
  { access, jobs }: Pick<JobDependencies, 'access' | 'jobs'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly account: string; readonly job: Job }> {
  const owner = await access.admit(request, reply);
  const job = await jobs.store.find(owner.account, jobIdOf(request));
  const platform = job.endpoint.split('/', 1)[0] as Platform;
  if (owner.platforms?.includes(platform) === false) throw new ExtractError('job_not_found');
  return { account: owner.account, job };
}

/** Making, looking at and cancelling jobs, and their results. */
export function addJobRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services, access, refusals, bodies } = dependencies;
  const holders = new WeakMap<FastifyRequest, KeyOwner>();
  const balanceOf = async (account: string) => (await services.ledger.balance(account)).credits;
  const answer = async (request: FastifyRequest, account: string, data: unknown) => ({
    data,
    meta: { request_id: request.id, credits_remaining: await balanceOf(account) },
  });

  app.register(async (large) => {
    // The body is read in pieces, and not by the parser of every other route.
    large.removeAllContentTypeParsers();
    large.addContentTypeParser('application/json', (_request: FastifyRequest, payload: IncomingMessage) =>
      JobUpload.receive(payload),
    );
    large.post(
      jobsPath,
      {
        bodyLimit: maxJobBytes,
        // Before the body is read: nobody without a key makes the server take 16 MiB.
        onRequest: async (request, reply) => {
          const holder = await access.admit(request, reply);
          holders.set(request, holder);
          await checkFundsAhead(dependencies, holder, request);
          checkAnnouncedBytes(request);
          await bodies.hold(request, reply, holder.account);
        },
        // Before the error is sent, which notes it.
        errorHandler: (error, request, reply) => {
          const holder = holders.get(request);
          if (holder !== undefined) refusals.remember(holder, error);
          // The rest of a body that nobody takes stays with its client.
          if (!request.raw.complete) reply.header('connection', 'close');
          return app.errorHandler(error, request, reply);
        },
      },
      async (request, reply) => {
        const holder = holders.get(request) as KeyOwner;
        const { account } = holder;
        withoutParameters(request, 'jobs');
        const order = await parseJobRequest(await fieldsOf(request.body), jobs.endpoints);
        access.checkPlatform(holder, order.endpoint.platform);
        const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
        reply.code(202).header('Cache-Control', 'no-store').type('application/json; charset=utf-8');
        const { answer: text, replayed } = await submitJob(
          jobs,
          { account, key: holder.key, request: order, idempotencyKey },
          (data, credits) =>
            JSON.stringify({ data, meta: { request_id: request.id, credits_remaining: credits } }),
        );
        if (replayed) reply.header('Idempotent-Replayed', 'true');
        return reply.send(text);
      },
    );
  });

  app.get('/v1/jobs', async (request, reply) => {
    const { account, platforms } = await access.admit(request, reply);
    const { limit, cursor } = parseParams(listRoute, parseQuery(queryText(request)), true) as {
      readonly [Name in keyof typeof jobListParams]: z.output<(typeof jobListParams)[Name]>;
    };
    const secret = await services.secret();
    const binding = createHash('sha256')
      .update(JSON.stringify(['jobs', account]))
      .digest('base64url');
    const now = services.clock.now();
    const { position } = cursor === undefined ? firstPosition : openCursor(secret, binding, cursor, now);
    const { jobs: data, next } = await jobs.store.list(
      account,
      limit,
      typeof position === 'string' ? position : undefined,
      platforms,
    );
    const nextCursor = next === null ? null : sealCursor(secret, binding, { position: next, seen: [] }, now);
    reply.header('Cache-Control', 'no-store');
    const { meta } = await answer(request, account, null);
    return { data, meta: { ...meta, next_cursor: nextCursor } };
  });

  app.get('/v1/jobs/:id', async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    withoutParameters(request, 'jobs/{id}');
    reply.header('Cache-Control', 'no-store');
    return answer(request, account, job);
  });

  app.post('/v1/jobs/:id/cancel', async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    withoutParameters(request, 'jobs/{id}/cancel');
    const cancelled = await jobs.store.cancel(account, job.id);
    jobs.wake();
    reply.header('Cache-Control', 'no-store');
    return answer(request, account, cancelled);
  });

  const sendResults = resultsSender(app, dependencies);
  app.get('/v1/jobs/:id/results', async (request, reply) => {
    const { account, job } = await admitToJob(dependencies, request, reply);
    return sendResults(request, reply, account, job.id);
  });
}
