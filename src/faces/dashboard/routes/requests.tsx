import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { endpoints } from '../../../../lib/endpoints.js';
import type { UsageRow } from '../../../../lib/ledger/usage-row.js';
import { blankParams, callSamples } from '../call-samples.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../context.js';
import { pageNotFound } from '../error-handler.js';
import { historyFilters } from '../history.js';
import { type AnyCall, RequestPage } from '../pages/request.js';
import { RequestsPage } from '../pages/requests.js';
import { asRow, requestLog } from '../request-log.js';

const position = z.object({
  id: z.string().trim().min(1).max(100).optional().catch(undefined),
  before: z.string().min(1).max(100).optional().catch(undefined),
});

const inputParams = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Returns the parameters of a job's input; null if it has been deleted. */
async function inputOf({ jobs }: DashboardContext, { id, job_id: job }: UsageRow): Promise<string | null> {
  if (job === null) return null;
  const index = Number(id.slice(job.length + 1));
  try {
    return await jobs.store.readInput(job, index);
  } catch {
    return null;
  }
}

export function addRequestRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, jobs, refusals, services, usage } = context;

  /** Returns a call in the ledger, or one refused before it got there. */
  async function findCall(account: string, id: string): Promise<AnyCall | null> {
    const call = await usage.findCall(account, id);
    if (call !== null) return { ...call, refused: false };
    const refused = await refusals.calls.find(account, id);
    return refused === null ? null : { ...asRow(refused), refused: true };
  }

  app.get('/requests', async (request, reply) => {
    const account = viewerOf(request).account.id;
    const filters = historyFilters.parse(request.query);
    const { id, before } = position.parse(request.query);
    if (id !== undefined && (await findCall(account, id)) !== null) {
      return redirectTo(reply, `/dashboard/requests/${encodeURIComponent(id)}`);
    }
    const [{ entries, next }, keys] = await Promise.all([
      requestLog({ usage, refusedCalls: refusals.calls, jobs: jobs.store }, account, filters, before),
      hosting.accounts.listKeys(account),
    ]);
    const isFirst = before === undefined;
    return reply.sendPage(<RequestsPage {...{ filters, keys, entries, next, isFirst }} unknown={id} />);
  });

  app.get<OfId>('/requests/:id', async (request, reply) => {
    const call = await findCall(viewerOf(request).account.id, request.params.id);
    if (call === null) throw pageNotFound();
    const endpoint = endpoints.find(({ path }) => path === call.endpoint) ?? null;
    const input = await inputOf(context, call);
    const params = input === null ? null : inputParams.safeParse(JSON.parse(input)).data;
    const samples =
      endpoint === null ? [] : callSamples(endpoint, params ?? blankParams(endpoint), services.docsBase);
    return reply.sendPage(<RequestPage {...{ call, endpoint, input, samples }} />);
  });
}
