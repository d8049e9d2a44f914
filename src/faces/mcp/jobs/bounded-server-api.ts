import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { contractPath, type Platform } from '../../../../lib/platforms.js';
import type { ServerApi } from './server-api.js';

/** The endpoint that a job or schedule names, or the body that makes one. */
const endpointIn = (data: unknown) => (data as { readonly endpoint?: unknown } | null)?.endpoint;

/**
 * The API of a server, as an assistant has it that is offered some platforms alone (`extract mcp --platforms`): no job of
 * another one is made, and those that are there are not found. Every tool asks for a job or schedule before what it holds.
 */
export function boundedServerApi(server: ServerApi, platforms: readonly Platform[]): ServerApi {
  const isOffered = (endpoint: unknown) =>
    typeof endpoint !== 'string' ||
    platforms.some((platform) => contractPath(endpoint).startsWith(`${platform}/`));
  return {
    async get(path, query, signal) {
      const answer = await server.get(path, query, signal);
      if (isOffered(endpointIn(answer.data))) return answer;
      throw new ExtractError(path.startsWith('schedules/') ? 'schedule_not_found' : 'job_not_found');
    },
    async post(path, request, signal) {
      const endpoint = endpointIn(JSON.parse(request.body));
      if (isOffered(endpoint)) return server.post(path, request, signal);
      throw new ExtractError(
        'invalid_parameter',
        `The tools are offered for ${platforms.join(', ')} alone, and ${String(endpoint)} is of another platform.`,
        { next: '' },
      );
    },
    open: (path, query, signal) => server.open(path, query, signal),
  };
}
