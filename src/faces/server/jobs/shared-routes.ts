import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../../lib/call/call.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { version } from '../../../../lib/runtime/version.js';
import { atomFeed } from '../../../output/feed/atom-feed.js';
import { jsonFeed } from '../../../output/feed/json-feed.js';
import type { LinkKind } from '../../../service/jobs/links/link-objects.js';
import { scheduleFeed } from '../../../service/jobs/links/schedule-feed.js';
import { type FoundLink, linkTypes } from '../../../service/jobs/links/shared-link.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';
import { sendFile } from '../../../service/jobs/results/send-file.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import type { Access } from '../../../service/limits/access.js';
import { queryOf } from '../api-route.js';
import { isUnchanged, type Validators } from './validators.js';

interface SharedDependencies {
  readonly jobs: Pick<Jobs, 'store' | 'schedules' | 'links' | 'downloads'>;
  readonly services: Pick<Services, 'clock' | 'docsBase'>;
  readonly access: Pick<Access, 'admitLink'>;
}

const digest = (text: string) => `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** Serves shared links to anyone who has their address, without a key: `/feeds/{token}.atom`, `/tables/{token}.csv`. */
export function addSharedRoutes(app: FastifyInstance, { jobs, services, access }: SharedDependencies): void {
  const { clock, docsBase } = services;

  /** Returns the link in a request's path, and the path's suffix. Rejects `rate_limited` and `link_not_found`. */
  async function linkOf<Kind extends LinkKind>(request: FastifyRequest, reply: FastifyReply, kind: Kind) {
    await access.admitLink(request, reply);
    const { file } = request.params as { readonly file: string };
    const [, token = '', ending = ''] = /^([^.]*)\.(\w+)$/.exec(file) ?? [];
    if (!Object.hasOwn(linkTypes[kind], ending)) throw new ExtractError('link_not_found');
    const link = await jobs.links.find(token);
    if (link.kind !== kind) throw new ExtractError('link_not_found');
    queryOf({ path: `/${kind}s/{token}.${ending}` }, request);
    reply
      // Clients may store the response but must revalidate it, because a revoked link must stop working.
      .header('Cache-Control', 'private, no-cache')
      .header('Referrer-Policy', 'no-referrer')
      .header('X-Robots-Tag', 'noindex');
    return { link, token, ending: ending as keyof (typeof linkTypes)[Kind] & string };
  }

  /** Sets the validators, and resolves with true if the client's version is current. */
  function answersUnchanged(
    request: FastifyRequest,
    reply: FastifyReply,
    link: FoundLink,
    validators: Validators,
  ): boolean {
    jobs.links.noteRead(link.id);
    return isUnchanged(request, reply, validators, clock.now());
  }

  /** Returns when the last run of a schedule wrote its last change; null while it runs. */
  async function lastWritten(account: string, { last_run: { at, job } }: Schedule): Promise<number | null> {
    if (job === null) return Date.parse(at);
    const { finished_at: finished } = await jobs.store.find(account, job);
    return finished === null ? null : Date.parse(finished);
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/feeds/:file',
    async handler(request, reply) {
      const { link, token, ending } = await linkOf(request, reply, 'feed');
      const { account, subject } = link;
      const schedule = await jobs.schedules.find(account, subject.id);
      const modifiedAt = await lastWritten(account, schedule);
      const history = await jobs.schedules.readHistory(account, subject.id);
      const feed = await scheduleFeed(account, schedule, history, {
        selfUrl: `${docsBase}/feeds/${token}.${ending}`,
        homeUrl: `${docsBase}/dashboard/schedules/${subject.id}`,
      });
      const text = ending === 'json' ? jsonFeed(feed) : atomFeed(feed);
      if (answersUnchanged(request, reply, link, { etag: digest(text), modifiedAt })) {
        return reply.code(304).send();
      }
      reply.type(linkTypes.feed[ending]).header('Content-Length', Buffer.byteLength(text));
      return request.method === 'HEAD' ? reply.send() : reply.send(text);
    },
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/tables/:file',
    async handler(request, reply) {
      const { link, ending } = await linkOf(request, reply, 'table');
      const { account, subject } = link;
      const job = await jobs.links.findTableJob(link);
      const { finished_at: finished } = await jobs.store.find(account, job);
      const { handle, edition } = await jobs.downloads.open(account, job, ending);
      // Finished results change with the suppression list, and with the version of this program.
      const etag = digest(`${job} ${version} ${edition}`);
      const modifiedAt = finished === null ? null : Date.parse(finished);
      if (answersUnchanged(request, reply, link, { etag, modifiedAt })) {
        await handle.close();
        return reply.code(304).send();
      }
      reply
        .type(linkTypes.table[ending])
        .header('Content-Disposition', `inline; filename="${subject.id}.${ending}"`);
      return sendFile(request, reply, account, handle, docsBase);
    },
  });
}
