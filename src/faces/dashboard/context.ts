import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Services } from '../../../lib/call/call.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { Suppressions } from '../../../lib/suppressions/suppressions.js';
import type { Account } from '../../service/accounts/accounts.js';
import type { Hosting } from '../../service/accounts/hosting.js';
import type { Session } from '../../service/accounts/sign-in/sign-in.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';
import type { HealthReports } from '../../service/health/health-report.js';
import type { Jobs } from '../../service/jobs/open-jobs.js';
import type { Access } from '../../service/limits/access.js';
import type { PendingBodies } from '../../service/limits/pending-bodies.js';
import type { Monitoring } from '../../service/monitoring/monitoring.js';
import type { UsageQueries } from '../../service/usage/ledger-usage.js';
import type { RefusalNotes } from '../../service/usage/refusal-notes.js';
import type { BannerCode } from './banners.js';
import type { Cookies } from './cookies.js';
import type { Drafts } from './jobs/drafts.js';
import type { SubmittedForms } from './submitted-forms.js';

interface CallMetrics {
  readonly registry: Registry;
  countAnswer(endpoint: Endpoint, answer: Answer): void;
  countError(endpoint: Endpoint | null, code: ErrorCode): void;
}

export interface DashboardOptions {
  readonly hosting: Hosting;
  readonly monitoring: Monitoring;
  readonly suppressions: Suppressions;
  readonly usage: UsageQueries;
  readonly services: Services;
  readonly access: Access;
  readonly refusals: RefusalNotes;
  readonly metrics: CallMetrics;
  readonly jobs: Jobs;
  readonly bodies: PendingBodies;
  /** Texts shared for a while by all servers of a database; omitted with a single server. */
  readonly expiringStore?: ExpiringStore | undefined;
  /** Credits granted to a new account. */
  readonly trialCredits: number;
  /** Folder of stored emails, on a server that sends none and is only reachable from its own machine. */
  readonly mailFolder?: string | undefined;
  readonly health: HealthReports;
  /** Milliseconds that a connection following results may be idle. */
  readonly stalledMs: number;
  /** Aborts calls in progress when the server must stop. */
  readonly closing: AbortSignal;
}

/** The options, with what is created once for all routes. */
export interface DashboardContext extends DashboardOptions {
  readonly cookies: Cookies;
  readonly submitted: SubmittedForms;
  readonly drafts: Drafts;
}

/** The account and session for which a page is rendered. */
export interface Viewer {
  readonly account: Account;
  readonly session: Session;
}

/** A route with an ID in its path. */
export type OfId = { Params: { id: string } };

declare module 'fastify' {
  interface FastifyRequest {
    /** Null outside `/dashboard`, and without a session. */
    viewer: Viewer | null;
    /** A digest of the operator's session secret; null for any other user. */
    operator: string | null;
  }
}

/** Returns what a form's token is bound to: a session, or a browser without one. */
export function tokenHolder({ viewer, operator }: FastifyRequest): string {
  return viewer?.session.id ?? operator ?? 'nobody';
}

/** Returns the signed-in viewer, for routes below `/dashboard`, which the guard protects. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (request.viewer === null) throw new Error('A route without the guard asked who is signed in.');
  return request.viewer;
}

/** Redirects after an accepted form, with the code of the notice to show. */
export function redirectTo(reply: FastifyReply, path: string, done?: BannerCode): FastifyReply {
  const mark = path.includes('?') ? '&' : '?';
  return reply.redirect(done === undefined ? path : `${path}${mark}done=${done}`, 303);
}
