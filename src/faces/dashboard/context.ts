import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Services } from '../../../lib/call/call.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { Platform } from '../../../lib/platforms.js';
import type { Suppressions } from '../../../lib/suppressions/suppressions.js';
import type { Account, KeyOwner } from '../../service/accounts/accounts.js';
import type { Hosting } from '../../service/accounts/hosting.js';
import type { Session } from '../../service/accounts/sign-in/sign-in.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';
import type { HealthReports } from '../../service/health/health-report.js';
import type { Jobs } from '../../service/jobs/open-jobs.js';
import type { Monitoring } from '../../service/monitoring/monitoring.js';
import type { RefusalNotes } from '../../service/usage/refusal-notes.js';
import type { UsageQueries } from '../../service/usage/usage-queries.js';
import type { Cookies } from './cookies.js';
import { type Notice, type NoticeCode, noticeOf } from './notices.js';
import type { SubmittedForms } from './submitted-forms.js';

/** The port to rights and rate limits, which the server's `Access` fills. */
interface CallAccess {
  /** Counts a page of an account or address, which takes about `pageMs`, and waits for its turn. Rejects `rate_limited`. */
  admitPage(caller: string, pageMs?: number): Promise<void>;
  /** Counts a call under a key. Throws `rate_limited`, and what forbids the call to this key. */
  admitOwner(owner: KeyOwner, reply: FastifyReply, platform?: Platform): void;
  /** Counts a call for sample data. Rejects `rate_limited`. */
  admitDemo(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** Throws `platform_not_allowed` for a key that may not call `platform`. */
  checkPlatform(owner: Pick<KeyOwner, 'platforms'>, platform: Platform): void;
}

/** The bytes of large bodies, as the server counts them. */
interface Bodies {
  /** Waits for room for the body of a request, which is kept until its answer. Rejects `rate_limited`. */
  hold(request: FastifyRequest, reply: FastifyReply, account: string): Promise<void>;
}

/** The port to the counts of calls, which the server's `Metrics` fill. */
interface CallMetrics {
  readonly registry: Registry;
  countAnswer(endpoint: Endpoint, answer: Answer): void;
  countError(endpoint: Endpoint | null, code: ErrorCode): void;
}

/** The services that the pages need. */
export interface DashboardOptions {
  readonly hosting: Hosting;
  /** The monitoring for the operator. */
  readonly monitoring: Monitoring;
  /** The subjects that nobody is given. */
  readonly suppressions: Suppressions;
  readonly usage: UsageQueries;
  readonly services: Services;
  readonly access: CallAccess;
  readonly refusals: RefusalNotes;
  readonly metrics: CallMetrics;
  readonly jobs: Jobs;
  readonly bodies: Bodies;
  /** The texts that all servers of a database share for a while; left out where there is but one server. */
  readonly expiringStore?: ExpiringStore | undefined;
  /** Credits that a new account is given. */
  readonly trialCredits: number;
  /** Folder of the stored mails, on a server that sends none and that only its own machine can reach. */
  readonly mailFolder?: string | undefined;
  /** How the endpoints are doing. */
  readonly health: HealthReports;
  /** Milliseconds that the connection of a follower of results may carry no bytes. */
  readonly stalledMs: number;
  /** Ends the calls under way when the server must stop. */
  readonly closing: AbortSignal;
}

/** The same, with what is made once for all routes. */
export interface DashboardContext extends DashboardOptions {
  readonly cookies: Cookies;
  readonly submitted: SubmittedForms;
}

/** The account and session that a page is rendered for. */
export interface Viewer {
  readonly account: Account;
  readonly session: Session;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null outside of `/dashboard`, and for somebody who is not signed in. */
    viewer: Viewer | null;
    /** A digest of the secret of the operator's session; null for anybody else. */
    operator: string | null;
  }
}

/** The surroundings of every page's content. */
export interface Frame {
  readonly viewer: Viewer | null;
  /** Goes into every form: `PostForm`. */
  readonly token: string;
  /** Path of the page, without its query. */
  readonly path: string;
  readonly notice: Notice | null;
  /** The origin of the links to the documentation. */
  readonly docsBase: string;
}

/** The holder that a form's token is bound to: a session, or a browser without one. */
export function tokenHolder({ viewer, operator }: FastifyRequest): string {
  return viewer?.session.id ?? operator ?? 'nobody';
}

/** The frame of the page that answers a request. */
export function frameOf(context: DashboardContext, request: FastifyRequest, reply: FastifyReply): Frame {
  const { done } = request.query as { readonly done?: unknown };
  return {
    viewer: request.viewer,
    token: reply.generateCsrf({ userInfo: tokenHolder(request) }),
    path: request.url.split('?', 1)[0] ?? '/',
    notice: noticeOf(done),
    docsBase: context.services.docsBase,
  };
}

/** The signed-in viewer, for routes below `/dashboard`: the guard has let nobody else through. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (request.viewer === null) throw new Error('A route without the guard asked who is signed in.');
  return request.viewer;
}

/** Goes on to another page after a form was taken, with the code of what to say there. */
export function redirectTo(reply: FastifyReply, path: string, done?: NoticeCode): FastifyReply {
  const mark = path.includes('?') ? '&' : '?';
  return reply.redirect(done === undefined ? path : `${path}${mark}done=${done}`, 303);
}
