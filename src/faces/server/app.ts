import { setMaxListeners } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Services } from '../../../lib/call/call.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { contractPath } from '../../../lib/platforms.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import type { ServerConfig } from '../../config/server-config.js';
import { redirectedWithoutSlash } from '../../output/address-without-slash.js';
import { sendError, toExtractError } from '../../output/error-answer.js';
import { logAnswer, logFailure, logVisited } from '../../output/log.js';
import type { AccountStore } from '../../service/accounts/account-store.js';
import type { KeyOwner } from '../../service/accounts/accounts.js';
import type { PackPayments } from '../../service/accounts/packs/pack-payments.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';
import { type HealthReports, unwatched } from '../../service/health/health-report.js';
import type { Jobs } from '../../service/jobs/open-jobs.js';
import { Access } from '../../service/limits/access.js';
import { PendingBodies } from '../../service/limits/pending-bodies.js';
import type { SharedCounts } from '../../service/limits/shared-counts.js';
import type { Tracing } from '../../service/tracing/tracing.js';
import type { UsageQueries } from '../../service/usage/ledger-usage.js';
import { RefusalNotes } from '../../service/usage/refusal-notes.js';
import type { RefusedCalls } from '../../service/usage/refused-calls.js';
import { addAccountRoutes } from './account-routes.js';
import { collectMethods } from './allowed-methods.js';
import { coalesceBodyChunks } from './body-chunks.js';
import { answerClientError, refuseTunnel } from './client-error.js';
import { boundConnections, trackConnections } from './connections.js';
import { addAssetRoutes, addDocsRoutes } from './docs/docs-routes.js';
import { isApi, sendFailurePage, wantsPage } from './docs/failure-page.js';
import { FastPath, type ReadDependencies } from './fast-path/fast-path.js';
import { addJobRoutes, refusedJob } from './jobs/job-routes.js';
import { addLinkRoutes } from './jobs/link-routes.js';
import { addScheduleRoutes } from './jobs/schedule-routes.js';
import { addSharedRoutes } from './jobs/shared-routes.js';
import { addWebhookRoutes } from './jobs/webhook-routes.js';
import { addKeyRoutes } from './key-routes.js';
import { onlyThisMachine } from './local-guard.js';
import type { Metrics } from './metrics.js';
import { checkUrl } from './query.js';
import { addReadRoutes } from './read-routes.js';
import {
  ignoreTypeOfNoBody,
  refuseContentEncoding,
  refuseExpectation,
  requireHost,
} from './request-guards.js';
import { addDescriptionRoutes, addHealthRoutes } from './service-routes.js';
import { addStatusRoutes } from './status/status-routes.js';
import { stripeRoute } from './stripe-route.js';
import { addWellKnownRoutes } from './well-known-routes.js';

export interface AppOptions {
  readonly services: Services;
  readonly accounts: AccountStore;
  readonly config: ServerConfig;
  readonly metrics: Metrics;
  readonly jobs: Jobs;
  readonly usage: UsageQueries;
  /** Records calls refused before they were charged; omitted if nothing reads them. */
  readonly refusedCalls?: RefusedCalls | undefined;
  /** Texts shared for a while by several servers; omitted with a single server. */
  readonly expiringStore?: ExpiringStore | undefined;
  /** Lets several servers count the requests of a key together; omitted with a single server. */
  readonly sharedCounts?: SharedCounts | undefined;
  /** The health of the endpoints; omitted by a server that does not monitor any. */
  readonly health?: HealthReports | undefined;
  /** How accounts buy credits; omitted by a server without web pages. */
  readonly payments?: PackPayments | undefined;
  /** Email address of the operator, for reports of vulnerabilities. */
  readonly operatorEmail?: string | undefined;
  /** Other interfaces, which add their routes in this order. */
  readonly faces?: readonly Face[];
  /** The caller of every request to a server without keys; omitted if requests need keys. */
  readonly local?: KeyOwner | undefined;
  /** False for a worker, which only answers health and metrics. */
  readonly answersCalls?: boolean;
  readonly log: Logger;
  /** The operator's tracing; requests continue the trace in their headers. */
  readonly tracing?: Tracing | undefined;
  /** Aborts calls in progress when the server must stop. */
  readonly closing: AbortSignal;
  readonly timeouts?: ServerTimeouts;
}

/** Milliseconds that the server waits for clients. */
export interface ServerTimeouts {
  /** Until the headers of a request have arrived, and until it is complete. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Until the next request on a connection. */
  readonly keepAliveMs: number;
  /** Between two checks of these limits. */
  readonly checkIntervalMs: number;
  /** While a connection is idle, in addition to the time that a call may take. */
  readonly stalledMs: number;
}

const defaultTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 72_000,
  checkIntervalMs: 1_000,
  stalledMs: 30_000,
};

const maxHeadBytes = 16 * 1024;
/** Default limit of a route's body; read endpoints accept none. */
const maxBodyBytes = 64 * 1024;

/** What the server shares with the interfaces that add routes to it. */
interface ServerParts
  extends Pick<AppOptions, 'jobs' | 'usage' | 'metrics' | 'config' | 'log' | 'closing' | 'expiringStore'>,
    Pick<ServerTimeouts, 'stalledMs'> {
  readonly services: Services;
  readonly access: Access;
  readonly refusals: RefusalNotes;
  readonly health: HealthReports;
  readonly bodies: PendingBodies;
}

export type Face = (routes: FastifyInstance, parts: ServerParts) => Promise<void>;

/** Creates the server with every route; it does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const {
    services,
    accounts,
    jobs,
    usage,
    health = unwatched,
    payments,
    faces = [],
    answersCalls = true,
    local,
    config,
    metrics,
    tracing,
    closing,
    log,
    timeouts = defaultTimeouts,
  } = options;
  const { docsBase } = services;
  const refusals = new RefusalNotes(options.refusedCalls, services.clock);
  setMaxListeners(0, closing);

  const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const shownError = toExtractError(error, request.id, docsBase);
    const endpoint = request.routeOptions?.config?.endpoint ?? null;
    metrics.countError(endpoint, shownError.code);
    refusals.noteFailure(error, endpoint ?? refusedJob(request), request.id);
    logFailure(shownError, request);
    return wantsPage(request) ? sendFailurePage(shownError, reply) : sendError(shownError, reply);
  };

  const access = new Access(accounts, services.clock, config, refusals, options.sharedCounts, local);
  const countedServices: Services = {
    ...services,
    onFetched(endpoint, data) {
      metrics.countFields(endpoint, data);
      services.onFetched?.(endpoint, data);
    },
    refused: (refusal) => refusals.noteCall(refusal),
  };
  const readDependencies: ReadDependencies = {
    ...{ services: countedServices, access, closing, refusals },
    onAnswered(endpoint, answer) {
      metrics.countAnswer(endpoint, answer);
      logVisited(log, endpoint, answer);
    },
  };
  const fastPath = new FastPath(readDependencies);
  // The fast path calls no hooks.
  const hasHooks = config.corsOrigins.length > 0 || config.logLevel === 'debug' || tracing !== undefined;

  const app = fastify({
    // Not fastify's own logger, which listens for the end of every response. That costs more than a balance request.
    childLoggerFactory: () => log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => fastPath.errorOf(request)?.id ?? newRequestId(),
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    bodyLimit: maxBodyBytes,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A start must not fail because the machine is busy, or was asleep.
    pluginTimeout: 0,
    serverFactory: (ordinary) => {
      const limits = {
        maxHeaderSize: maxHeadBytes,
        headersTimeout: timeouts.headersMs,
        connectionsCheckingInterval: timeouts.checkIntervalMs,
        requestTimeout: timeouts.requestMs,
        keepAliveTimeout: timeouts.keepAliveMs,
      };
      const isFast = answersCalls && !hasHooks;
      const coalesced = coalesceBodyChunks(ordinary);
      const calls = isFast ? fastPath.before(coalesced) : coalesced;
      const listener = requireHost(local === undefined ? calls : onlyThisMachine(calls, docsBase), docsBase);
      // Node's own refusal of a missing `Host` header has no body.
      const server = http.createServer({ ...limits, requireHostHeader: false }, listener);
      server.on('checkExpectation', refuseExpectation(docsBase));
      server.on('connect', (_, socket) => refuseTunnel(socket as Socket, docsBase));
      // Ends the connection of a client that does not read its response.
      return server.setTimeout(services.deadlineMs + timeouts.stalledMs);
    },
    // A path that cannot be decoded never becomes an ordinary request.
    frameworkErrors: (error, request, reply) => {
      reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
      sendFailure(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket as Socket, docsBase),
  });
  // Fastify itself would log the address it listens on, which is up to the caller.
  app.log = log.child({}, { level: log.level === 'silent' ? 'silent' : 'error' });
  boundConnections(app.server);
  const closeIdleConnections = trackConnections(app.server);
  // Also answers a client that has closed its sending side (netcat, some proxies). Node supports the option; its types
  // lack it.
  Object.assign(app.server, { httpAllowHalfOpen: true });

  const methodsOf = collectMethods(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    // Fastify closes the connections of later requests; an open one would delay the shutdown.
    if (fastPath.isClosed) reply.header('Connection', 'close');
    done();
  });
  if (config.logLevel === 'debug') {
    app.addHook('onResponse', async (request, reply) => {
      if (reply.statusCode < 400) logAnswer(request, reply);
    });
  }
  app.setErrorHandler(sendFailure);
  const admitPage = ({ ip }: FastifyRequest) => access.admitPage(ip);
  app.setNotFoundHandler(async (request, reply) => {
    await admitPage(request);
    if (!isApi(request.url) && redirectedWithoutSlash(request, reply)) return reply;
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsOf(path);
    if (methods.length > 0) reply.header('Allow', methods.join(', '));
    const error =
      methods.length > 0
        ? new ExtractError('method_not_allowed')
        : new ExtractError('endpoint_not_found', renamedText(path));
    return sendFailure(error, request, reply);
  });
  if (config.corsOrigins.length > 0) {
    app.register(cors, {
      origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
      exposedHeaders: [
        ...['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Mcp-Session-Id'],
        ...['Idempotent-Replayed', 'ETag', 'Content-Range'],
      ],
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      // An OPTIONS request without an origin would be refused with a text instead of the contract's error object.
      strictPreflight: false,
    });
  }

  if (tracing !== undefined) {
    app.addHook('onRequest', (request, _reply, done) => tracing.within(request.headers, done));
  }
  app.addHook('onRequest', async (request) => {
    checkUrl(request);
    ignoreTypeOfNoBody(request.raw);
  });
  // After the routes' own check of a key, which records whose request was refused.
  app.addHook('preParsing', (request, _reply, _body, done) => {
    refuseContentEncoding(request.raw);
    done();
  });
  app.addHook('preClose', async () => {
    fastPath.close();
    await closeIdleConnections();
  });
  // As a plugin, so that everything registered before it applies to every route.
  app.register(async (routes) => {
    addHealthRoutes(routes, { services, metrics, config });
    if (!answersCalls) return;
    addReadRoutes(routes, readDependencies, fastPath);
    addAccountRoutes(routes, { services, access, usage });
    addKeyRoutes(routes, { services, accounts, access, usage });
    addWellKnownRoutes(routes, { clock: services.clock, docsBase, operatorEmail: options.operatorEmail });
    addAssetRoutes(routes);
    await routes.register(async (pages) => {
      pages.addHook('onRequest', admitPage);
      addDescriptionRoutes(pages, docsBase);
      addDocsRoutes(pages, docsBase, health);
      addStatusRoutes(pages, { health, clock: services.clock });
    });
    const bodies = new PendingBodies(services.clock);
    const { stalledMs } = timeouts;
    const jobDependencies = { ...{ jobs, services, access, refusals, usage, bodies }, stalledMs };
    addJobRoutes(routes, jobDependencies);
    addWebhookRoutes(routes, jobDependencies);
    addScheduleRoutes(routes, jobDependencies);
    addLinkRoutes(routes, jobDependencies);
    addSharedRoutes(routes, jobDependencies);
    if (payments?.method === 'stripe') await routes.register(stripeRoute, { payments });
    const parts = {
      ...{ ...jobDependencies, services: countedServices, metrics, health, config, closing },
      log,
      expiringStore: options.expiringStore,
    };
    for (const face of faces) await face(routes, parts);
  });
  return app;
}

/**
 * Suggests the right path for one that begins with an endpoint's or uses a platform's brand; undefined for any other.
 */
function renamedText(path: string): string | undefined {
  const [, beginning = ''] = /^\/v1\/([\w-]+\/[\w-]+)/.exec(path) ?? [];
  const endpointPath = contractPath(beginning);
  if (!endpoints.some((endpoint) => endpoint.path === endpointPath)) return undefined;
  return `Unknown path ${path}. Use /v1/${endpointPath}.`;
}
