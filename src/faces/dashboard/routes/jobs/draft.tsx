import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import type { ApiKey } from '../../../../service/accounts/account-objects.js';
import { isActive } from '../../../../service/accounts/accounts.js';
import { submitJob } from '../../../../service/jobs/submit-job.js';
import { chargedKey } from '../../../../service/usage/key-spend.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../../context.js';
import type { Draft } from '../../jobs/drafts.js';
import { DraftPage, ExpiredDraftPage } from '../../pages/jobs/draft.js';

/** Errors that are shown on the draft's page, which remains. */
const draftFaults = [
  'insufficient_credits',
  'webhook_url_not_allowed',
  'platform_not_allowed',
  'revoked_api_key',
  'idempotency_mismatch',
] as const;

/** Shows the price of a job, and submits it once, however often the form is sent. */
export function addDraftRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { jobs, drafts } = context;
  async function keyOf(account: string, { key }: Draft): Promise<ApiKey | null> {
    if (key === null) return null;
    const keys = await context.hosting.accounts.listKeys(account);
    return keys.find(({ id }) => id === key) ?? null;
  }

  async function page(request: FastifyRequest, reply: FastifyReply, draft: Draft, problem?: ExtractError) {
    const { id, credits } = viewerOf(request).account;
    const keyName = (await keyOf(id, draft))?.name ?? null;
    const status = problem?.status ?? 200;
    return reply.sendPage(
      <DraftPage {...{ draft, keyName, problem }} balance={credits} now={context.services.clock.now()} />,
      status,
    );
  }

  const draftNotFound = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.sendPage(<ExpiredDraftPage />, 404);

  app.get<OfId>('/jobs/drafts/:id', async (request, reply) => {
    const draft = await drafts.find(viewerOf(request).account.id, request.params.id);
    return draft === undefined ? draftNotFound(request, reply) : page(request, reply, draft);
  });

  /** Returns the ID of the job that a draft becomes, or has become. */
  async function send(account: string, draft: Draft, request: NonNullable<Draft['request']>) {
    const key = await keyOf(account, draft);
    const isUsable = key !== null && isActive(key, context.services.clock.now());
    if (draft.key !== null && !isUsable) throw new ExtractError('revoked_api_key');
    if (key !== null) context.access.checkPlatform(key, request.endpoint.platform);
    const chargedId = key === null ? undefined : chargedKey(key);
    const order = { account, key: chargedId, request, idempotencyKey: `dashboard ${draft.id}` };
    const { id } = await submitJob(jobs, order, (job) => JSON.stringify(job));
    return id;
  }

  /** Submits a draft; `chosen` selects one of its two jobs. */
  async function order(
    request: FastifyRequest<OfId>,
    reply: FastifyReply,
    requestOf: (draft: Draft) => Draft['request'],
  ) {
    const account = viewerOf(request).account.id;
    const draft = await drafts.find(account, request.params.id);
    if (draft === undefined) return draftNotFound(request, reply);
    const choice = requestOf(draft);
    if (choice === null) return page(request, reply, draft);
    try {
      return redirectTo(reply, `/dashboard/jobs/${await send(account, draft, choice)}`, 'job-sent');
    } catch (error) {
      if (!(error instanceof ExtractError) || !draftFaults.some((code) => code === error.code)) throw error;
      return page(request, reply, draft, error);
    }
  }

  app.post<OfId>('/jobs/drafts/:id', (request, reply) => order(request, reply, (draft) => draft.request));

  app.post<OfId>('/jobs/drafts/:id/without-faulty', (request, reply) =>
    order(request, reply, (draft) => draft.soundRequest),
  );
}
