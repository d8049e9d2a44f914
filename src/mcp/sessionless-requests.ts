import { createMcpHandler } from '@modelcontextprotocol/server';
import type { ToolServer } from './tool-server.js';

/**
 * The requests that belong to no session: those of protocol revisions since 2026-07-28. Each has a tool server of its
 * own, and a caller that goes gives its call up.
 */
export class SessionlessRequests {
  readonly #servers = new Set<ToolServer>();

  /** Answers a request; its body is given beside it, and its signal tells that the caller has gone. */
  async answer(request: Request, message: unknown, open: () => ToolServer): Promise<Response> {
    const handler = createMcpHandler(
      () => {
        const server = open();
        this.#servers.add(server);
        const forget = () => server.idle().then(() => this.#servers.delete(server));
        request.signal.addEventListener('abort', forget, { once: true });
        return server.protocol;
      },
      { legacy: 'reject' },
    );
    return handler.fetch(request, { parsedBody: message });
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.idle()));
  }
}
