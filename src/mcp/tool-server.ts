import { setMaxListeners } from 'node:events';
import {
  type CallToolResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { newRequestId } from '../../lib/runtime/request-id.js';
import { version } from '../../lib/runtime/version.js';
import { linkedAbort } from '../../lib/web/linked-abort.js';
import type { Backend } from './backend.js';
import { instructions } from './instructions.js';
import { addPrompts } from './prompts.js';
import type { RecentAnswers } from './recent-answers.js';
import { addResources } from './resources.js';
import type { CallWatch } from './tool.js';
import type { ToolAccess } from './tool-access.js';
import { tools } from './tools.js';

/** What the tool servers of a process share. */
export interface ToolServerOptions {
  readonly backend: Backend;
  /** Where errors are explained, without a trailing slash. */
  readonly docsBase: string;
  readonly kept: RecentAnswers;
  /** Ends the calls under way when the program must stop. */
  readonly closing: AbortSignal;
  /** Told of faults of ours: what was thrown, under the id that the caller was told. */
  fault(requestId: string, cause: unknown): void;
  readonly watch?: CallWatch | undefined;
}

// The SDK wants the type of JSON values, which is narrower than that of our schemas.
const listing = { tools: tools.map(({ definition }) => definition as ListedTool) };
const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));

/** Some clients send null for every parameter that was not filled in. */
function filledIn(args: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function named(error: unknown, requestId: string, { docsBase }: ToolServerOptions): ExtractError {
  const known =
    error instanceof ExtractError
      ? error
      : new ExtractError('internal_error', 'Something failed that should not; the request id names it.', {
          cause: error,
        });
  return known.within(requestId, docsBase);
}

/** Tells a caller who asked for it how far its call has come; nothing waits for that. */
function progressOf(
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

/** A tool server of one session, or of one request that needs none: it is to be connected to a transport. */
export interface ToolServer {
  readonly protocol: Server;
  /** Resolves when no tool call is under way. */
  idle(): Promise<void>;
  /** Tool calls under way. */
  readonly busy: number;
}

/**
 * Makes the server of one session or request. The SDK's own registry of tools is not used: it would check parameters
 * itself and word their errors, and there is one road for both.
 */
export function createToolServer(access: ToolAccess, options: ToolServerOptions): ToolServer {
  const protocol = new Server(
    { name: 'extract', title: 'extract', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: instructions() },
  );
  const running = new Set<Promise<unknown>>();
  protocol.setRequestHandler('tools/list', () => listing);
  protocol.setRequestHandler(
    'tools/call',
    async ({ params }, { mcpReq: request }): Promise<CallToolResult> => {
      const tool = byName.get(params.name);
      if (tool === undefined)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool ${params.name.slice(0, 80)}.`,
        );
      const requestId = newRequestId();
      const { controller, unlink } = linkedAbort(request.signal);
      const stop = () => controller.abort(options.closing.reason);
      options.closing.addEventListener('abort', stop, { once: true });
      setMaxListeners(0, options.closing);
      if (options.closing.aborted) stop();
      const run = tool.run(filledIn(params.arguments), {
        requestId,
        access,
        backend: options.backend,
        kept: options.kept,
        signal: controller.signal,
        progress: progressOf(request._meta?.progressToken, request.notify),
        answered: (endpoint, answer) => options.watch?.answered(endpoint, answer),
      });
      running.add(run);
      try {
        const shown = await run;
        return { content: [{ type: 'text', text: JSON.stringify(shown) }], structuredContent: shown };
      } catch (error) {
        const told = named(error, requestId, options);
        // What a caller gave up is no fault, and nobody reads the answer.
        if (!request.signal.aborted) options.watch?.refused(tool.endpoint, told.code);
        if (told.type === 'internal' && !controller.signal.aborted) options.fault(told.requestId, told.cause);
        return { content: [{ type: 'text', text: JSON.stringify({ error: told }) }], isError: true };
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
    get busy() {
      return running.size;
    },
  };
}
