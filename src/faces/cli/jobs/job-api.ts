import type { ApiClient } from '../../../../lib/remote/api-client.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type Context, configOf } from '../context.js';
import { UsageError } from '../usage-error.js';

/** Runs work with the client of the configured server, or of the login. Throws a usage error if there is none. */
export async function withServer<T>(context: Context, work: (client: ApiClient) => Promise<T>): Promise<T> {
  const { baseUrl, ...config } = await configOf(context);
  if (baseUrl === undefined) {
    throw new UsageError(
      'missing_parameter',
      'Jobs run on a server, and none is configured.',
      'Use `extract login`, or set EXTRACT_BASE_URL and EXTRACT_API_KEY; `extract serve` starts a server. Without one, `extract batch` does the same on this machine.',
    );
  }
  const { openApiClient } = await import('../../../../lib/remote/remote.js');
  const client = openApiClient({ ...config, baseUrl }, systemClock);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Returns the path of a job, escaping the id. */
export function jobPath(id: string, rest = ''): string {
  return `jobs/${encodeURIComponent(id)}${rest}`;
}
