import type { Queries } from '../../../lib/database/queries.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import type { HealthNow } from './health-store.js';

/**
 * Removes errors and canaries that name a subject from the endpoints' current health. Returns the number of rows
 * changed.
 */
export async function forgetInHealth(queries: Queries, traces: Traces): Promise<number> {
  let count = 0;
  const rows = await queries.rows<{ readonly endpoint: string; readonly standing: string }>(
    'SELECT endpoint, standing FROM health_now',
  );
  for (const { endpoint, standing } of rows) {
    const health = JSON.parse(standing) as HealthNow;
    const isNamed = (value: unknown) => traces.in(JSON.stringify(value));
    // The numbers are counts and times, even if they look like IDs.
    const rest = JSON.stringify({
      ...health,
      reasons: health.reasons.filter((reason) => !isNamed(reason)),
      errors: health.errors.filter((error) => !isNamed(error)),
      canary: isNamed([health.canary?.problems, health.canary?.source, health.canary?.routes])
        ? null
        : health.canary,
    });
    if (rest === standing) continue;
    count += await queries.run('UPDATE health_now SET standing = $2 WHERE endpoint = $1', [endpoint, rest]);
  }
  return count;
}
