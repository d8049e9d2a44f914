import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { newLinkRequest } from '../../../service/jobs/links/link-objects.js';
import { linkUrls } from '../../../service/jobs/links/shared-link.js';
import { admitToJob, type JobDependencies, jobIdOf, withoutParameters } from './job-routes.js';
import { isVisible } from './schedule-routes.js';

/** Making, listing and revoking the links to a job or a schedule. */
export function addLinkRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services, access } = dependencies;
  const { links, schedules } = jobs;

  /** The account of a request's key, and the job or schedule in its path. Rejects what the key may not know of as not found. */
  const admitTo = {
    async job(request: FastifyRequest, reply: FastifyReply) {
      const { account, job } = await admitToJob(dependencies, request, reply);
      return { account, subject: { type: 'job', id: job.id } as const };
    },
    async schedule(request: FastifyRequest, reply: FastifyReply) {
      const owner = await access.admit(request, reply);
      const schedule = await schedules.find(owner.account, jobIdOf(request));
      if (!isVisible(owner, schedule)) throw new ExtractError('schedule_not_found');
      return { account: owner.account, subject: { type: 'schedule', id: schedule.id } as const };
    },
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply, account: string, data: unknown) => {
    reply.header('Cache-Control', 'no-store');
    const { credits } = await services.ledger.balance(account);
    return { data, meta: { request_id: request.id, credits_remaining: credits } };
  };

  for (const type of ['job', 'schedule'] as const) {
    const path = `${type}s/{id}/links`;
    const url = `/v1/${type}s/:id/links`;

    app.get(url, async (request, reply) => {
      const { account, subject } = await admitTo[type](request, reply);
      withoutParameters(request, path);
      return answer(request, reply, account, await links.list(account, subject));
    });

    app.post(url, async (request, reply) => {
      const { account, subject } = await admitTo[type](request, reply);
      withoutParameters(request, path);
      const body = newLinkRequest.safeParse(request.body);
      if (!body.success) {
        throw new ExtractError('invalid_body', 'The body must be {"kind":"table"} or {"kind":"feed"}.');
      }
      const { token, ...link } = await links.create(account, subject, body.data.kind);
      reply.code(201);
      const urls = linkUrls(services.docsBase, { kind: link.kind, token });
      return answer(request, reply, account, { ...link, urls });
    });

    app.post(`${url}/:link/revoke`, async (request, reply) => {
      const { account, subject } = await admitTo[type](request, reply);
      withoutParameters(request, `${path}/{link}/revoke`);
      const { link: id } = request.params as { readonly link: string };
      const found = (await links.list(account, subject)).find((one) => one.id === id);
      if (found === undefined) throw new ExtractError('link_not_found');
      await links.revoke(account, subject, id);
      return answer(request, reply, account, found);
    });
  }
}
