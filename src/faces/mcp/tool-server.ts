import { setMaxListeners } from 'node:events';
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Platform } from '../../../lib/platforms.js';
import { platformOf } from '../../../lib/platforms.js';
import { linkedAbort } from '../../../lib/runtime/abort.js';
import { nearestWords, suggestion } from '../../../lib/runtime/nearest-words.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { version } from '../../../lib/runtime/version.js';
import type { Backend } from './backend.js';
import type { ServerApi } from './jobs/server-api.js';
import { listedTool } from './listing.js';
import { addPrompts } from './prompts.js';
import type { RecentAnswers } from './recent-answers.js';
import { refuseCursor } from './refuse-cursor.js';
import { addResources } from './resources.js';
import type { Tool } from './tool.js';
import type { ToolAccess } from './tool-access.js';
import { instructions, tools } from './tools.js';

/** What the tool servers of a process share. */
export interface ToolServerOptions {
  readonly backend: Backend;
  /** Where errors are explained, without a trailing slash. */
  readonly docsBase: string;
  readonly recentAnswers: RecentAnswers;
  /** The server with the caller's jobs; omitted if there is none. */
  readonly server?: ServerApi | undefined;
  /** Platforms whose tools are offered; all if omitted. */
  readonly platforms?: readonly Platform[] | undefined;
  /** Aborts calls in progress when the program must stop. */
  readonly closing: AbortSignal;
  /** Receives internal faults, with the request id that the caller got. */
  onFault(requestId: string, cause: unknown): void;
  /** Receive each answer and each error, for metrics. */
  readonly onAnswered?: ((endpoint: Endpoint, answer: Answer) => void) | undefined;
  readonly onRejected?:
    | ((endpoint: Endpoint | null, error: ExtractError, cause: unknown) => void)
    | undefined;
}

const listed = tools.map((tool) => ({ tool, definition: listedTool(tool) }));
const toolsByName = new Map(tools.map((tool) => [tool.definition.name, tool]));

/** True if a tool is offered; tools without an endpoint always are. */
const isOffered = ({ endpoint }: Tool, { platforms }: Pick<ToolServerOptions, 'platforms'>) =>
  endpoint === null || platforms === undefined || platforms.includes(endpoint.platform);

/** Drops nulls, which some clients send for every unset parameter. */
function withoutNulls(args: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function namedError(error: unknown, requestId: string, { docsBase }: ToolServerOptions): ExtractError {
  const toolError =
    error instanceof ExtractError
      ? error
      : new ExtractError('internal_error', 'An unexpected error occurred.', {
          cause: error,
        });
  return toolError.within(requestId, docsBase);
}

/** Reports the progress of a call to a caller who supplied a token. No call waits for the report. */
function progressNotifier(
  token: string | number | undefined,
  send: (notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; message: string };
  }) => Promise<void>,
): (message: string) => void {
  if (token === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken: token, progress, message };
    send({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** The tool server of one request, or of one client over stdin and stdout, to be connected to a transport. */
export interface ToolServer {
  readonly protocol: Server;
  idle(): Promise<void>;
}

/**
 * Creates the server of one request or client. The SDK's own tool registry is not used, because it would validate
 * parameters and word their errors itself.
 */
export function createToolServer(access: ToolAccess, options: ToolServerOptions): ToolServer {
  const protocol = new Server(
    { name: 'extract', title: 'extract', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: instructions(access) },
  );
  const running = new Set<Promise<unknown>>();
  protocol.setRequestHandler('tools/list', async ({ params }) => {
    refuseCursor(params);
    const platforms = (await access.shownPlatforms()) ?? undefined;
    const offered = listed.filter(
      ({ tool }) =>
        isOffered(tool, options) &&
        isOffered(tool, { platforms }) &&
        (tool.needsServer !== true || options.server !== undefined),
    );
    return { tools: offered.map(({ definition }) => definition) };
  });
  protocol.setRequestHandler(
    'tools/call',
    async ({ params }, { mcpReq: request }): Promise<CallToolResult> => {
      const tool = toolsByName.get(params.name);
      if (tool === undefined || !isOffered(tool, options)) throw unknownTool(params.name, options);
      const requestId = newRequestId();
      const { controller, unlink } = linkedAbort(request.signal);
      const stop = () => controller.abort(options.closing.reason);
      options.closing.addEventListener('abort', stop, { once: true });
      setMaxListeners(0, options.closing);
      if (options.closing.aborted) stop();
      const run = tool.run(withoutNulls(params.arguments), {
        requestId,
        access,
        backend: options.backend,
        recentAnswers: options.recentAnswers,
        server: options.server,
        signal: controller.signal,
        onProgress: progressNotifier(request._meta?.progressToken, request.notify),
        onAnswered: (endpoint, answer) => options.onAnswered?.(endpoint, answer),
      });
      running.add(run);
      try {
        const result = await run;
        // Sent once: every client accepts text, and structured content would repeat it in the context.
        return { content: [{ type: 'text', text: JSON.stringify(result) }] };
      } catch (error) {
        const toolError = namedError(error, requestId, options);
        // A call cancelled by its caller is not a fault, and nothing reads the answer.
        if (!request.signal.aborted && tool.needsServer !== true) {
          options.onRejected?.(tool.endpoint, toolError, error);
        }
        if (toolError.type === 'internal' && !controller.signal.aborted) {
          options.onFault(toolError.requestId, toolError.cause);
        }
        return { content: [{ type: 'text', text: JSON.stringify({ error: toolError }) }], isError: true };
      } finally {
        running.delete(run);
        unlink();
        options.closing.removeEventListener('abort', stop);
      }
    },
  );
  addResources(protocol);
  addPrompts(protocol);
  return {
    protocol,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/** Returns the nearest tool names, and the contract's error object. */
function unknownTool(name: string, options: ToolServerOptions): ProtocolError {
  const toolName = name.slice(0, 80);
  const offered = tools.filter((tool) => isOffered(tool, options)).map(({ definition }) => definition.name);
  const inContract = toolName
    .split('_')
    .map((word) => platformOf(word) ?? word)
    .join('_');
  const error = new ExtractError(
    'endpoint_not_found',
    `Unknown tool ${toolName}. ${suggestion(nearestWords(inContract, offered))}`.trimEnd(),
  ).within(newRequestId(), options.docsBase);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.toJSON());
}
