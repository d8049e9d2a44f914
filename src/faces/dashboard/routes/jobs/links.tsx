import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { type LinkKind, linkKinds } from '../../../../service/jobs/links/link-objects.js';
import { type LinkSubject, linkUrls } from '../../../../service/jobs/links/shared-link.js';
import { type DashboardContext, redirectTo, viewerOf } from '../../context.js';
import { pageNotFound } from '../../error-handler.js';
import { LinksPage, type LinkTarget, NewLinkPage } from '../../pages/jobs/links.js';
import { jobsPage, schedulesPage } from '../../parts/layout.js';
import { isolated } from '../../parts/name.js';

type OfSubject = { Params: { id: string; kind: string; link: string } };

/** The links to jobs and schedules: a page for each, with forms that create and revoke them. */
export function addLinkRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { jobs } = context;
  /** Returns the job or schedule as shown on the pages. Rejects `job_not_found`, `schedule_not_found`. */
  async function linkedOf({ type, id }: LinkSubject, account: string): Promise<LinkTarget> {
    const path = `/dashboard/${type}s/${id}/links`;
    if (type === 'job') {
      const { name, endpoint } = await jobs.store.find(account, id);
      const above = [jobsPage, { title: 'Job', href: `/dashboard/jobs/${id}` }];
      return {
        title: name === undefined ? `the job for ${endpoint}` : isolated(name),
        above,
        path,
        kinds: ['table'],
      };
    }
    const { name, endpoint, status, history } = await jobs.schedules.find(account, id);
    const above = [jobsPage, schedulesPage, { title: 'Schedule', href: `/dashboard/schedules/${id}` }];
    const kinds: readonly LinkKind[] = history === true ? linkKinds : ['table'];
    const title = name === undefined ? `the schedule for ${endpoint}` : isolated(name);
    return { title, above, path, kinds: status === 'ended' ? [] : kinds };
  }

  for (const type of ['job', 'schedule'] as const) {
    const accountOf = (request: FastifyRequest) => viewerOf(request).account.id;
    const subjectOf = ({ params }: FastifyRequest<OfSubject>) => ({ type, id: params.id });

    app.get<OfSubject>(`/${type}s/:id/links`, async (request, reply) => {
      const subject = subjectOf(request);
      const linked = await linkedOf(subject, accountOf(request));
      const links = await jobs.links.list(accountOf(request), subject);
      return reply.sendPage(<LinksPage {...{ linked, links }} />);
    });

    app.post<OfSubject>(`/${type}s/:id/links/:kind`, async (request, reply) => {
      const subject = subjectOf(request);
      const kind = linkKinds.find((one) => one === request.params.kind);
      if (kind === undefined) throw pageNotFound();
      const linked = await linkedOf(subject, accountOf(request));
      const created = await context.submitted.secretly(request, () =>
        jobs.links.create(accountOf(request), subject, kind),
      );
      if (created === undefined) return redirectTo(reply, linked.path, 'link-created-before');
      const { token } = created;
      const urls = linkUrls(context.services.docsBase, { kind, token });
      return reply.sendPage(<NewLinkPage {...{ linked, kind, urls }} />, 201);
    });

    app.post<OfSubject>(`/${type}s/:id/links/:link/revoke`, async (request, reply) => {
      const subject = subjectOf(request);
      const { path } = await linkedOf(subject, accountOf(request));
      try {
        await jobs.links.revoke(accountOf(request), subject, request.params.link);
      } catch (error) {
        // Another tab revoked it first.
        if (!(error instanceof ExtractError) || error.code !== 'link_not_found') throw error;
      }
      return redirectTo(reply, path, 'link-revoked');
    });
  }
}
