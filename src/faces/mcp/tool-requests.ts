import { createMcpHandler } from '@modelcontextprotocol/server';
import type { ToolServer } from './tool-server.js';

/** A half-open connection is only detected by writing to it. So each answer is a stream with a comment every second. */
const streamed = { responseMode: 'sse', keepAliveMs: 1000 } as const;

/**
 * The requests of clients of all revisions. Each gets its own tool server, and a caller that disconnects cancels its
 * call.
 */
export class ToolRequests {
  readonly #servers = new Set<ToolServer>();

  /**
   * Answers a request, whose body is passed separately. `ended` is aborted when it was answered or its caller
   * disconnected.
   */
  async answer(
    request: Request,
    message: unknown,
    endSignal: AbortSignal,
    open: () => ToolServer,
  ): Promise<Response> {
    const handler = createMcpHandler(
      () => {
        const server = open();
        this.#servers.add(server);
        const forget = () => server.idle().then(() => this.#servers.delete(server));
        endSignal.addEventListener('abort', forget, { once: true });
        return server.protocol;
      },
      { legacy: 'stateless', ...streamed },
    );
    return handler.fetch(request, { parsedBody: message });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.idle()));
  }
}
