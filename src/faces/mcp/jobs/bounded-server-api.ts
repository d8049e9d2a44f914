import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { contractPath, type Platform } from '../../../../lib/platforms.js';
import type { ServerApi } from './server-api.js';

/** Returns the endpoint of a job or schedule, or of the body that creates one. */
const endpointIn = (data: unknown) => (data as { readonly endpoint?: unknown } | null)?.endpoint;

/**
 * Limits a server's API to some platforms (`extract mcp --platforms`): no job of another one is created, and existing
 * ones are not found. Every tool reads a job or schedule before its content.
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
        `These tools only cover ${platforms.join(', ')}, and ${String(endpoint)} is on another platform.`,
        { next: '' },
      );
    },
    open: (path, query, signal) => server.open(path, query, signal),
  };
}
