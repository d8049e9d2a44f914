import { createHash, randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../lib/call/call.js';
import type { ExtractError } from '../../lib/errors/extract-error.js';
import type { ServerConfig } from '../config/server-config.js';
import type { Access } from '../server/access.js';
import { toExtractError } from '../server/error-answer.js';
import { logFailure } from '../server/log.js';
import { ownBackend } from './backend.js';
import { keyAccess } from './key-access.js';
import { RecentAnswers } from './recent-answers.js';
import { isTrustedOrigin, servedHosts } from './served-host.js';
import { SessionlessRequests } from './sessionless-requests.js';
import { type Session, type SessionBounds, Sessions, usualBounds } from './sessions.js';
import type { CallWatch } from './tool.js';
import { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.js';

export interface ToolRoutesOptions {
  readonly services: Services;
  readonly access: Access;
  readonly metrics: CallWatch;
  readonly config: Pick<ServerConfig, 'host' | 'allowedHosts' | 'corsOrigins'>;
  /** Ends the calls under way when the server must stop. */
  readonly closing: AbortSignal;
  readonly bounds?: SessionBounds;
}

/** A request that the protocol has no way for: told in its own form of error, under an HTTP status. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const badRequest = -32000;
const sessionNotFound = -32001;

/** Errors of the road to a tool are the protocol's; the contract's error object goes along as their data. */
function sendProtocolError(
  status: number,
  code: number,
  message: string,
  reply: FastifyReply,
  data?: ExtractError,
): FastifyReply {
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id: null }));
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

const isCancellation = (message: unknown): message is Cancellation =>
  (message as { method?: unknown } | null)?.method === 'notifications/cancelled';

/**
 * The tools over Streamable HTTP, under `/mcp`: a fastify plugin. A session belongs to the key that opened it; revisions
 * of the protocol since 2026-07-28 have none. There is no stream without a request (GET): the server has nothing to say
 * unasked.
 */
export async function toolRoutes(app: FastifyInstance, options: ToolRoutesOptions): Promise<void> {
  const { services, access, metrics, config, closing, bounds = usualBounds } = options;
  const sessions = new Sessions(services.clock, bounds);
  const sessionless = new SessionlessRequests();
  const isServed = servedHosts(config, { docsUrl: services.docsBase });
  const toolServers: ToolServerOptions = {
    backend: ownBackend(services),
    docsBase: services.docsBase,
    kept: new RecentAnswers(services.clock),
    closing,
    watch: metrics,
    fault: (requestId: string, cause: unknown) =>
      app.log.error({ request_id: requestId, err: cause }, 'A tool call failed that should not.'),
  };

  app.addHook('onRequest', async ({ headers: { host, origin } }) => {
    if (!isServed(host)) {
      throw new Refusal(403, badRequest, 'This host is not served here; EXTRACT_ALLOWED_HOSTS lists names.');
    }
    if (!isTrustedOrigin(origin, host, config.corsOrigins)) {
      throw new Refusal(
        403,
        badRequest,
        'Pages of this origin may not call; EXTRACT_CORS_ORIGINS lists some.',
      );
    }
  });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal) return sendProtocolError(error.status, error.code, error.message, reply);
    const told = toExtractError(error, request.id, services.docsBase);
    logFailure(told, request);
    metrics.refused(null, told.code);
    if (told.retryAfter !== undefined) reply.header('Retry-After', String(Math.ceil(told.retryAfter)));
    return sendProtocolError(told.status, badRequest, told.message, reply, told);
  });

  function toolServerOf({ headers: { authorization }, ip }: FastifyRequest): ToolServer {
    return createToolServer(keyAccess(access, { headers: { authorization }, ip }), toolServers);
  }

  async function opened(request: FastifyRequest, reply: FastifyReply): Promise<Session> {
    const credential = credentialOf(request);
    const caller = credential === '' ? request.ip : credential;
    // A session costs memory, so opening one counts; whether the key is any good, each call tells.
    await access.admitDemo(request, reply);
    const id = randomUUID();
    const server = toolServerOf(request);
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session = { id, credential, caller, transport, server };
    sessions.add(session);
    await server.protocol.connect(transport);
    return session;
  }

  function found(request: FastifyRequest): Session {
    const { 'mcp-session-id': id } = request.headers;
    if (typeof id !== 'string') throw new Refusal(400, badRequest, 'The header Mcp-Session-Id is required.');
    const session = sessions.find(id, credentialOf(request));
    if (session === undefined)
      throw new Refusal(404, sessionNotFound, 'There is no such session; begin anew.');
    return session;
  }

  app.post('/mcp', async (request, reply) => {
    const message = request.body;
    if (Array.isArray(message)) throw new Refusal(400, -32600, 'Send one message in a request.');
    const over = new AbortController();
    reply.raw.once('close', () => over.abort());
    const asked = webRequest(request, over.signal);
    reply.header('Cache-Control', 'no-store');
    // Only an object can name the revision that it is written in.
    if (typeof message === 'object' && !(await isLegacyRequest(asked, message))) {
      return reply.send(await sessionless.answer(asked, message, over.signal, () => toolServerOf(request)));
    }
    const isFirst = request.headers['mcp-session-id'] === undefined && isInitializeRequest(message);
    const session = isFirst ? await opened(request, reply) : found(request);
    const response = await session.transport.handleRequest(asked, { parsedBody: message });
    if (isFirst && !response.ok) sessions.end(session.id);
    // A call that was given up is never answered; its stream would stay open for as long as the session.
    if (isCancellation(message) && message.params?.requestId !== undefined) {
      session.transport.closeSSEStream(message.params.requestId);
    }
    return reply.send(response);
  });

  app.delete('/mcp', async (request, reply) => {
    sessions.end(found(request).id);
    return reply.code(200).send();
  });

  app.addHook('onClose', async () => {
    await Promise.all([sessions.close(), sessionless.close()]);
  });
}
