import { createHash, randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import type { Services } from '../../lib/call/call.js';
import type { Answer } from '../../lib/call/envelope.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { ServerConfig } from '../config/server-config.js';
import { withoutSecrets } from '../output/log.js';
import type { TransientTexts } from '../transient/transient-texts.js';
import { ownBackend } from './backend.js';
import { type KeyCheck, keyAccess } from './key-access.js';
import { MemoryAnswers } from './memory-answers.js';
import {
  ProtocolRefusal,
  protocolCodes,
  protocolErrorIn,
  refusalOf,
  sendProtocolError,
} from './protocol-refusal.js';
import { isTrustedOrigin, servedHosts } from './served-host.js';
import { notify, replayHandshake } from './session-handshake.js';
import { SessionlessRequests } from './sessionless-requests.js';
import { defaultSessionLimits, type McpSession, McpSessions, type SessionLimits } from './sessions.js';
import { SharedAnswers } from './shared-answers.js';
import { type InitializeMessage, SharedSessions } from './shared-sessions.js';
import { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.js';

export interface ToolRoutesOptions {
  readonly services: Services;
  readonly access: KeyCheck;
  readonly config: Pick<ServerConfig, 'host' | 'allowedHosts' | 'corsOrigins'>;
  /** Ends the calls under way when the server must stop. */
  readonly closing: AbortSignal;
  readonly sessionLimits?: SessionLimits;
  /** What all servers of a database need for a while; left out where there is but one server. */
  readonly transient?: TransientTexts | undefined;
  /** Whatever a request threw, as an error of the catalogue under the request's id. */
  namedError(error: unknown, requestId: string): ExtractError;
  /** Receives the errors of requests that reach no tool. */
  onRefusal(error: ExtractError, request: FastifyRequest): void;
  /** Receive each answer and each error of a tool, for metrics. */
  onAnswered(endpoint: Endpoint, answer: Answer): void;
  onRejected(endpoint: Endpoint | null, error: ExtractError, cause: unknown): void;
}

function credentialOf({ headers: { authorization } }: FastifyRequest): string {
  return authorization === undefined ? '' : createHash('sha256').update(authorization).digest('base64url');
}

/** The request as the SDK takes it; its body is given beside it. */
function webRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs, signal });
}

interface Cancellation {
  readonly method: 'notifications/cancelled';
  readonly params?: { readonly requestId?: string | number };
}

const methodOf = (message: unknown) => (message as { method?: unknown } | null)?.method;

const isCancellation = (message: unknown): message is Cancellation =>
  methodOf(message) === 'notifications/cancelled';

const cancellationOf = (requestId: string | number) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
  params: { requestId, reason: 'The client gave it up, by another server.' },
});

/**
 * The tools over Streamable HTTP, under `/mcp`: a fastify plugin. A session belongs to the key that opened it; revisions
 * of the protocol since 2026-07-28 have none. There is no stream without a request (GET), as the server sends nothing of
 * its own accord.
 */
export async function toolRoutes(app: FastifyInstance, options: ToolRoutesOptions): Promise<void> {
  const { services, access, config, closing, transient, sessionLimits = defaultSessionLimits } = options;
  const sessions = new McpSessions(services.clock, sessionLimits);
  const shared = transient && new SharedSessions(transient, sessionLimits);
  /** Requests of one session that come at the same time open it once. */
  const reopening = new SingleFlight<McpSession | undefined>();
  const sessionless = new SessionlessRequests();
  const isServed = servedHosts(config, { docsUrl: services.docsBase });
  const toolServers: ToolServerOptions = {
    backend: ownBackend(services),
    docsBase: services.docsBase,
    recentAnswers: transient === undefined ? new MemoryAnswers(services.clock) : new SharedAnswers(transient),
    closing,
    onAnswered: options.onAnswered,
    onRejected: options.onRejected,
    onFault: (requestId: string, cause: unknown) =>
      app.log.error({ request_id: requestId, err: cause }, 'A tool call failed that should not.'),
  };

  app.addHook('onRequest', async ({ headers: { host, origin } }) => {
    if (!isServed(host)) {
      throw new ProtocolRefusal(403, 'This host is not served here; EXTRACT_ALLOWED_HOSTS lists names.');
    }
    if (!isTrustedOrigin(origin, host, config.corsOrigins)) {
      throw new ProtocolRefusal(403, 'Pages of this origin may not call; EXTRACT_CORS_ORIGINS lists some.');
    }
  });

  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof ProtocolRefusal ? error : null;
    const thrown = refusal === null ? error : new ExtractError(refusal.code, refusal.message);
    const known = options.namedError(thrown, request.id);
    options.onRefusal(known, request);
    if (known.retryAfter !== undefined) reply.header('Retry-After', String(Math.ceil(known.retryAfter)));
    const status = refusal?.status ?? known.status;
    return sendProtocolError(
      { status, code: refusal?.protocolCode ?? protocolCodes.badRequest },
      known,
      reply,
    );
  });

  /** Sends what the SDK answers; a refusal of its own gets the contract's error object beside the data it has. */
  async function send(
    response: Response,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const body = await protocolErrorIn(response);
    if (body === null) return reply.send(response);
    const known = options.namedError(refusalOf(response.status, body.error), request.id);
    options.onRefusal(known, request);
    const data = { ...(body.error.data as object | undefined), ...known.toJSON() };
    const text = withoutSecrets(JSON.stringify({ ...body, error: { ...body.error, data } }));
    return reply.code(response.status).type('application/json; charset=utf-8').send(text);
  }

  function toolServerOf({ headers: { authorization }, ip }: FastifyRequest): ToolServer {
    return createToolServer(keyAccess(access, { headers: { authorization }, ip }), toolServers);
  }

  async function connect(
    request: FastifyRequest,
    about: Pick<McpSession, 'id' | 'credential' | 'caller'>,
  ): Promise<McpSession> {
    const server = toolServerOf(request);
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => about.id });
    const session = { ...about, transport, server };
    sessions.add(session);
    await server.protocol.connect(transport);
    return session;
  }

  async function openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    initialize: InitializeMessage,
  ): Promise<McpSession> {
    const credential = credentialOf(request);
    const caller = credential === '' ? request.ip : credential;
    // A session costs memory, so opening one counts against the limit; each call checks the key itself.
    await access.admitDemo(request, reply);
    const session = await connect(request, { id: randomUUID(), credential, caller });
    await shared?.add(session, initialize);
    return session;
  }

  /** Goes on with a session that another server opened: its first messages are told again, to nobody. */
  async function reopenSession(
    request: FastifyRequest,
    known: SharedSessions,
    id: string,
  ): Promise<McpSession | undefined> {
    const credential = credentialOf(request);
    const found = await known.find(id, credential);
    if (found === undefined) return undefined;
    const session = await connect(request, { id, credential, caller: found.caller });
    await replayHandshake(session.transport, found.initialize);
    return session;
  }

  async function endSession(id: string): Promise<void> {
    sessions.end(id);
    await shared?.end(id);
  }

  async function requireSession(request: FastifyRequest): Promise<McpSession> {
    const { 'mcp-session-id': id } = request.headers;
    if (typeof id !== 'string')
      throw new ProtocolRefusal(400, 'The header Mcp-Session-Id is required; initialize gives it.');
    const isOver = shared !== undefined && !(await shared.use(id));
    // Another server may have ended it.
    if (isOver) sessions.end(id);
    const session =
      sessions.find(id, credentialOf(request)) ??
      (shared === undefined || isOver
        ? undefined
        : await reopening.run(`${id} ${credentialOf(request)}`, () => reopenSession(request, shared, id)));
    if (session === undefined) {
      const message = 'There is no such session; start again with initialize.';
      throw new ProtocolRefusal(404, message, { protocolCode: protocolCodes.noSession });
    }
    return session;
  }

  app.post('/mcp', async (request, reply) => {
    const message = request.body;
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      const codes = { protocolCode: protocolCodes.invalidRequest, code: 'invalid_body' } as const;
      throw new ProtocolRefusal(
        400,
        'The body must be one JSON-RPC message, sent as application/json.',
        codes,
      );
    }
    const ended = new AbortController();
    reply.raw.once('close', () => ended.abort());
    const standardRequest = webRequest(request, ended.signal);
    reply.header('Cache-Control', 'no-store');
    if (!(await isLegacyRequest(standardRequest, message))) {
      // A client's first request; each call of a tool is counted by its own check of the key.
      if (methodOf(message) === 'server/discover') await access.admitDemo(request, reply);
      const answer = sessionless.answer(standardRequest, message, ended.signal, () => toolServerOf(request));
      return send(await answer, request, reply);
    }
    const isFirst = request.headers['mcp-session-id'] === undefined && isInitializeRequest(message);
    const session = isFirst
      ? await openSession(request, reply, message as InitializeMessage)
      : await requireSession(request);
    const { id: called } = message as { readonly id?: string | number };
    if (called !== undefined && methodOf(message) === 'tools/call') {
      shared?.onCancelled(session.id, called, services.clock, ended.signal, () => {
        notify(session.transport, cancellationOf(called)).catch(() => undefined);
        session.transport.closeSSEStream(called);
      });
    }
    const response = await session.transport.handleRequest(standardRequest, { parsedBody: message });
    if (isFirst && !response.ok) await endSession(session.id);
    // A cancelled call gets no answer; its stream would stay open for as long as the session.
    if (isCancellation(message) && message.params?.requestId !== undefined) {
      session.transport.closeSSEStream(message.params.requestId);
      await shared?.cancel(session.id, message.params.requestId);
    }
    return send(response, request, reply);
  });

  app.delete('/mcp', async (request, reply) => {
    await endSession((await requireSession(request)).id);
    return reply.code(200).send();
  });

  app.addHook('onClose', async () => {
    await Promise.all([sessions.close(), sessionless.close()]);
  });
}
