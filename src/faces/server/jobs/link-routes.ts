import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import { linkObject, newLinkObject, newLinkRequest } from '../../../service/jobs/links/link-objects.js';
import { type LinkSubject, linkUrls } from '../../../service/jobs/links/shared-link.js';
import { apiRoute, serveRoute } from '../api-route.js';
import { findJob, type JobDependencies } from './job-routes.js';
import { findSchedule } from './schedule-routes.js';

const { $schema: _, ...linkBody } = z.toJSONSchema(newLinkRequest);

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
        ? 'A job has tables: its results as CSV, from its end until the results expire.'
        : 'A table has the results of the newest finished run; a feed lists changes, for a schedule with `history`.'
    } Anyone with the URL can read it, and nothing else. The URL is shown once. Free.`,
    body: linkBody,
    answer: { description: 'The link, with its URLs.', data: newLinkObject, status: 201 },
    refusals: of === 'schedule' ? [409] : [410],
  }),
  revoke: apiRoute({
    method: 'post',
    path: `/${of}s/{id}/links/{link}/revoke`,
    operationId: `revoke_${of}_link`,
    summary: `Revoke a link to a ${of}: the next read fails`,
    answer: { description: 'The revoked link.', data: linkObject },
  }),
});

export const linkRoutes = { job: routesOf('job'), schedule: routesOf('schedule') };

/** Adds the routes that create, list and revoke links to a job or a schedule. */
export function addLinkRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services } = dependencies;
  const { links } = jobs;

  for (const [type, find] of [
    ['job', findJob],
    ['schedule', findSchedule],
  ] as const) {
    const { list, create, revoke } = linkRoutes[type];
    const subjectOf = async (owner: KeyOwner, id: string): Promise<LinkSubject> => ({
      type,
      id: (await find(dependencies, owner, id)).id,
    });

    serveRoute(app, dependencies, list, async ({ owner, id }) => ({
      data: await links.list(owner.account, await subjectOf(owner, id)),
    }));

    serveRoute(app, dependencies, create, async ({ owner, id, request }) => {
      const subject = await subjectOf(owner, id);
      const body = newLinkRequest.safeParse(request.body);
      if (!body.success) {
        throw new ExtractError('invalid_body', 'The body must be {"kind":"table"} or {"kind":"feed"}.');
      }
      const { token, ...link } = await links.create(owner.account, subject, body.data.kind);
      const urls = linkUrls(services.docsBase, { kind: link.kind, token });
      return { data: { ...link, urls } };
    });

    serveRoute(app, dependencies, revoke, async ({ owner, id, request }) => {
      const subject = await subjectOf(owner, id);
      const { link } = request.params as { readonly link: string };
      const sharedLink = (await links.list(owner.account, subject)).find((one) => one.id === link);
      if (sharedLink === undefined) throw new ExtractError('link_not_found');
      await links.revoke(owner.account, subject, link);
      return { data: sharedLink };
    });
  }
}
