import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Tool, ToolCall, ToolResult } from '../tool.js';
import type { ServerApi } from './server-api.js';

/** Creates a tool for a server's API, listed only with a server and a key. */
export function serverTool(
  definition: Tool['definition'],
  run: (args: Readonly<Record<string, unknown>>, server: ServerApi, call: ToolCall) => Promise<ToolResult>,
): Tool {
  return {
    endpoint: null,
    needsServer: true,
    definition,
    async run(args, call) {
      if (call.server === undefined) {
        throw new ExtractError(
          'missing_api_key',
          'Jobs run on a server: connect to its /mcp with an API key, or use `extract login`.',
          { next: '' },
        );
      }
      return run(args, call.server, call);
    },
  };
}
