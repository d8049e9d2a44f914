import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { inputId } from '../../../../../lib/ledger/job-input.js';
import { lineOptionsIn } from '../../../../service/jobs/job.js';
import { resultsSender } from '../../../../service/jobs/results/results-sender.js';
import { activeKeys } from '../../active-keys.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../../context.js';
import { failedInputs, failedLines, firstFailed } from '../../jobs/failed-lines.js';
import { isFinal, jobView, viewKey } from '../../jobs/job-view.js';
import { resultsPreview } from '../../jobs/preview.js';
import { readDraft } from '../../jobs/read-draft.js';
import { CancelJobPage, JobPage, jobNumbers } from '../../pages/jobs/job.js';

const maxFailedShown = 100;

/** One job: its page, progress, results and actions. */
export function addJobRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { jobs, drafts } = context;
  const accountOf = (request: FastifyRequest) => viewerOf(request).account.id;
  const pathOf = (id: string) => `/dashboard/jobs/${encodeURIComponent(id)}`;
  const attachment = (name: string) => `attachment; filename="${name}.ndjson"`;

  /** Returns the key that a job was created with, if it is still active; the job's calls name it. */
  async function activeKey(account: string, job: string): Promise<string | null> {
    const [call, keys] = await Promise.all([
      context.usage.findCall(account, inputId(job, 0)),
      activeKeys(context, account),
    ]);
    return keys.find(({ id }) => id === call?.api_key?.id)?.id ?? null;
  }

  app.get<OfId>('/jobs/:id', async (request, reply) => {
    const account = accountOf(request);
    const view = await jobView(jobs, account, request.params.id);
    const { id, failed: count } = view.job;
    const readable = view.results === 'whole' && count > 0;
    const failed = readable ? await firstFailed(jobs, account, id, maxFailedShown) : [];
    const preview = view.results === 'gone' ? null : await resultsPreview(jobs, account, view.job);
    return reply.sendPage(<JobPage {...{ view, failed, preview }} />);
  });

  app.get<OfId>('/jobs/:id/progress', async (request) => {
    const view = await jobView(jobs, accountOf(request), request.params.id);
    const { completed, failed } = view.job;
    return {
      mark: viewKey(view),
      is_over: isFinal(view),
      value: completed + failed,
      parts: jobNumbers(view),
    };
  });

  const sendResults = resultsSender(app, { ...context, jobs });
  app.get<OfId>('/jobs/:id/results', async (request, reply) => {
    const { id } = await jobs.store.find(accountOf(request), request.params.id);
    reply.header('Content-Disposition', attachment(id));
    return sendResults(request, reply, accountOf(request), request.params.id);
  });

  app.get<OfId>('/jobs/:id/failed', async (request, reply) => {
    const { job, results } = await jobView(jobs, accountOf(request), request.params.id);
    if (results === 'gone') throw new ExtractError('results_expired');
    if (results === 'coming') throw new ExtractError('job_not_finished');
    const lines = failedLines(jobs, accountOf(request), job.id);
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', attachment(`${job.id}-failed`))
      .send(Readable.from(lines, { objectMode: false }));
  });

  app.post<OfId>('/jobs/:id/retry', async (request, reply) => {
    const account = accountOf(request);
    const { job, results } = await jobView(jobs, account, request.params.id);
    if (results === 'gone') throw new ExtractError('results_expired');
    if (results === 'coming') throw new ExtractError('job_not_finished');
    const endpoint = jobs.endpoints.find(({ path }) => path === job.endpoint);
    if (endpoint === undefined) throw new ExtractError('endpoint_not_found');
    const draft = await readDraft({
      ...{ account, endpoint, format: 'ndjson' },
      key: await activeKey(account, job.id),
      source: `the failed inputs of ${job.id}`,
      fields: { name: job.name, webhook_url: job.webhook?.url, ...lineOptionsIn(job, 'job') },
      content: await failedInputs(jobs, account, job.id),
    });
    const { id } = await drafts.add(draft);
    return redirectTo(reply, `/dashboard/jobs/drafts/${id}`);
  });

  app.get<OfId>('/jobs/:id/cancel', async (request, reply) => {
    const view = await jobView(jobs, accountOf(request), request.params.id);
    if (view.job.finished_at !== null) return redirectTo(reply, pathOf(view.job.id));
    return reply.sendPage(<CancelJobPage view={view} />);
  });

  app.post<OfId>('/jobs/:id/cancel', async (request, reply) => {
    const { id } = request.params;
    try {
      await jobs.store.cancel(accountOf(request), id);
    } catch (error) {
      // The job finished first, and its page says so.
      if (error instanceof ExtractError && error.code === 'job_already_finished')
        return redirectTo(reply, pathOf(id));
      throw error;
    }
    jobs.wake();
    return redirectTo(reply, pathOf(id), 'job-cancelled');
  });

  app.post<OfId>('/jobs/:id/redeliver', async (request, reply) => {
    const { id } = request.params;
    await context.submitted.shared(request, () => jobs.webhooks.redeliver(accountOf(request), id));
    jobs.wake();
    return redirectTo(reply, pathOf(id), 'webhook-again');
  });
}
