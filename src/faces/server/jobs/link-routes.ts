import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { linkObject, newLinkObject, newLinkRequest } from '../../../service/jobs/links/link-objects.js';
import { linkUrls } from '../../../service/jobs/links/shared-link.js';
import { apiRoute, queryOf, serveRoute } from '../api-route.js';
import { admitToJob, type JobDependencies, jobIdOf } from './job-routes.js';
import { isVisible } from './schedule-routes.js';

const { $schema: _, ...linkBody } = z.toJSONSchema(newLinkRequest);

/** The routes of the links to jobs or to schedules. */
const routesOf = (of: 'job' | 'schedule') => ({
  list: apiRoute({
    method: 'get',
    path: `/${of}s/{id}/links`,
    operationId: `list_${of}_links`,
    summary: `The shared links to a ${of}, newest first`,
    description: 'Their URLs are never shown again. Free.',
    answer: { description: 'The links.', data: linkObject, many: true },
  }),
  create: apiRoute({
    method: 'post',
    path: `/${of}s/{id}/links`,
    operationId: `create_${of}_link`,
    summary: `Create a link that reads a ${of} without a key`,
    description: `${
      of === 'job'
        ? 'A job has tables: its results as CSV, once it has finished and for as long as they are kept.'
        : 'A table has the results of the newest run that is done; a feed tells of changes, for a schedule with `history`.'
    } Whoever has the URL can read, and do nothing else. It is shown once. Free.`,
    body: linkBody,
    answer: { description: 'The link, with its URLs.', data: newLinkObject, status: 201 },
    refusals: of === 'schedule' ? [409] : [],
  }),
  revoke: apiRoute({
    method: 'post',
    path: `/${of}s/{id}/links/{link}/revoke`,
    operationId: `revoke_${of}_link`,
    summary: `Revoke a link to a ${of}: the next read fails`,
    answer: { description: 'The link as it was.', data: linkObject },
  }),
});

export const linkRoutes = { job: routesOf('job'), schedule: routesOf('schedule') };

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

  for (const type of ['job', 'schedule'] as const) {
    const { list, create, revoke } = linkRoutes[type];

    serveRoute(app, services, list, async (request, reply) => {
      const { account, subject } = await admitTo[type](request, reply);
      queryOf(list, request);
      return { account, data: await links.list(account, subject) };
    });

    serveRoute(app, services, create, async (request, reply) => {
      const { account, subject } = await admitTo[type](request, reply);
      queryOf(create, request);
      const body = newLinkRequest.safeParse(request.body);
      if (!body.success) {
        throw new ExtractError('invalid_body', 'The body must be {"kind":"table"} or {"kind":"feed"}.');
      }
      const { token, ...link } = await links.create(account, subject, body.data.kind);
      const urls = linkUrls(services.docsBase, { kind: link.kind, token });
      return { account, data: { ...link, urls } };
    });

    serveRoute(app, services, revoke, async (request, reply) => {
      const { account, subject } = await admitTo[type](request, reply);
      queryOf(revoke, request);
      const { link: id } = request.params as { readonly link: string };
      const found = (await links.list(account, subject)).find((one) => one.id === id);
      if (found === undefined) throw new ExtractError('link_not_found');
      await links.revoke(account, subject, id);
      return { account, data: found };
    });
  }
}
