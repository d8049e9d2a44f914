import { randomUUID } from 'node:crypto';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../lib/call/call.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ServerConfig } from '../../config/server-config.js';
import { withoutSecrets } from '../../output/log.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';
import type { Access } from '../../service/limits/access.js';
import { localBackend } from './backend.js';
import { inProcessApi } from './jobs/in-process-api.js';
import { keyAccess } from './key-access.js';
import { MemoryAnswers } from './memory-answers.js';
import {
  ProtocolRefusal,
  protocolCodes,
  protocolErrorIn,
  refusalOf,
  sendProtocolError,
} from './protocol-refusal.js';
import { type CallName, RunningCalls } from './running-calls.js';
import { isTrustedOrigin, servedHosts } from './served-host.js';
import { SharedAnswers } from './shared-answers.js';
import { ToolRequests } from './tool-requests.js';
import { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.js';

export interface ToolRoutesOptions {
  readonly services: Services;
  readonly access: Access;
  readonly config: Pick<ServerConfig, 'host' | 'allowedHosts' | 'corsOrigins'>;
  /** Aborts calls in progress when the server must stop. */
  readonly closing: AbortSignal;
  /** Texts shared for a while by all servers of a database; omitted with a single server. */
  readonly expiringStore?: ExpiringStore | undefined;
  /** Converts what a request threw to an error of the catalogue, with the request's id. */
  namedError(error: unknown, requestId: string): ExtractError;
  /** Called with the errors of requests that reach no tool. */
  onRefusal(error: ExtractError, request: FastifyRequest): void;
  /** Called with each answer and each error of a tool, for metrics. */
  onAnswered(endpoint: Endpoint, answer: Answer): void;
  onRejected(endpoint: Endpoint | null, error: ExtractError, cause: unknown): void;
}

/** Converts a request for the SDK, which receives the body separately. */
function webRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs, signal });
}

/** The members of a message that the routes read; the SDK validates it. */
interface Message {
  readonly id?: string | number;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: string | number } | null;
}

/** True for a client's first message, in revisions before 2026-07-28 and since. */
const isFirst = ({ method }: Message) => method === 'initialize' || method === 'server/discover';

/**
 * Serves the tools over Streamable HTTP at `/mcp`. Every request gets its own tool server, and any server may answer
 * it. Clients of revisions before 2026-07-28 get a session name, by which they cancel their calls. There is no stream
 * without a request (GET), because the server never sends unprompted messages.
 */
export async function toolRoutes(app: FastifyInstance, options: ToolRoutesOptions): Promise<void> {
  const { services, access, config, closing, expiringStore } = options;
  const requests = new ToolRequests();
  const running = new RunningCalls(services.clock, expiringStore);
  const isServed = servedHosts(config, { docsUrl: services.docsBase });
  const toolServers: ToolServerOptions = {
    backend: localBackend(services),
    docsBase: services.docsBase,
    recentAnswers:
      expiringStore === undefined ? new MemoryAnswers(services.clock) : new SharedAnswers(expiringStore),
    closing,
    onAnswered: options.onAnswered,
    onRejected: options.onRejected,
    onFault: (requestId: string, cause: unknown) =>
      app.log.error({ request_id: requestId, err: cause }, 'A tool call failed unexpectedly.'),
  };

  app.addHook('onRequest', async ({ headers: { host, origin } }) => {
    if (!isServed(host)) {
      throw new ProtocolRefusal(403, 'This host is not allowed; add it to EXTRACT_ALLOWED_HOSTS.');
    }
    if (!isTrustedOrigin(origin, host, config.corsOrigins)) {
      throw new ProtocolRefusal(403, 'This origin is not allowed; add it to EXTRACT_CORS_ORIGINS.');
    }
  });

  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof ProtocolRefusal ? error : null;
    const thrown = refusal === null ? error : new ExtractError(refusal.code, refusal.message);
    const callError = options.namedError(thrown, request.id);
    options.onRefusal(callError, request);
    if (callError.retryAfter !== undefined)
      reply.header('Retry-After', String(Math.ceil(callError.retryAfter)));
    const status = refusal?.status ?? callError.status;
    const isNoJson = error instanceof Error && 'code' in error && /_JSON_BODY$/.test(String(error.code));
    const code = isNoJson ? protocolCodes.parseError : protocolCodes.badRequest;
    return sendProtocolError({ status, code: refusal?.protocolCode ?? code }, callError, reply);
  });

  /** Sends the SDK's response. Its own refusals get the contract's error object in addition to their data. */
  async function send(
    response: Response,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const body = await protocolErrorIn(response);
    if (body === null) return reply.send(response);
    const callError = options.namedError(refusalOf(response.status, body.error), request.id);
    options.onRefusal(callError, request);
    const data = { ...(body.error.data as object | undefined), ...callError.toJSON() };
    const text = withoutSecrets(JSON.stringify({ ...body, error: { ...body.error, data } }));
    return reply.code(response.status).type('application/json; charset=utf-8').send(text);
  }

  function toolServerOf({ headers: { authorization }, ip }: FastifyRequest): ToolServer {
    const sender = { headers: { authorization }, ip };
    const server = authorization === undefined ? undefined : inProcessApi(app, sender);
    return createToolServer(keyAccess(access, sender), { ...toolServers, server });
  }

  /** Returns the name by which a client cancels a request of its session; undefined without a session. */
  function callName({ headers }: FastifyRequest, id: string | number | undefined): CallName | undefined {
    const { 'mcp-session-id': session, authorization: credential = '' } = headers;
    return typeof session === 'string' && id !== undefined ? { credential, session, request: id } : undefined;
  }

  const answerMessage = async (request: FastifyRequest, reply: FastifyReply) => {
    const message = request.body;
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      const { parseError, invalidRequest } = protocolCodes;
      const codes = {
        protocolCode: message === undefined ? parseError : invalidRequest,
        code: 'invalid_body',
      } as const;
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
    const { method, id, params } = message as Message;
    if (method === 'initialize' && !isInitializeRequest(message)) {
      throw new ProtocolRefusal(
        400,
        'initialize needs the fields id, protocolVersion, capabilities and clientInfo.',
      );
    }
    if (method !== 'tools/call') await access.admitMessage(request);
    if (isFirst(message)) {
      // Each tool call is counted when its key is checked.
      await access.admitDemo(request, reply);
      if (method === 'initialize') reply.header('Mcp-Session-Id', randomUUID());
    }
    if (method === 'notifications/cancelled') {
      const cancelled = callName(request, params?.requestId);
      if (cancelled !== undefined && !running.cancel(cancelled)) {
        // It is written to storage for the other servers, so it counts as a call.
        await access.admitDemo(request, reply);
        await running.cancelElsewhere(cancelled);
      }
    }
    const answer = requests.answer(standardRequest, message, ended.signal, () => {
      const server = toolServerOf(request);
      const call = method === 'tools/call' ? callName(request, id) : undefined;
      if (call !== undefined) running.add(call, ended.signal, () => void server.protocol.close());
      return server;
    });
    return send(await answer, request, reply);
  };

  // Many configurations have a trailing slash, and many clients do not follow a redirect of a POST.
  for (const url of ['/mcp', '/mcp/']) {
    app.post(url, answerMessage);
    // There is nothing to end, because a session is only a name.
    app.delete(url, (_, reply) => reply.code(200).send());
  }

  app.addHook('onClose', async () => {
    await requests.close();
  });
}
