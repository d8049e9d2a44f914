import type { Queries } from '../../../lib/database/queries.js';
import type { Traces } from '../../../lib/suppressions/traces.js';

/** Takes errors whose texts name a subject out of how the endpoints stand. Gives how many rows have changed. */
export async function forgetInHealth(queries: Queries, traces: Traces): Promise<number> {
  let changed = 0;
  const rows = await queries.rows<{ readonly endpoint: string; readonly standing: string }>(
    'SELECT endpoint, standing FROM health_now',
  );
  for (const { endpoint, standing } of rows.filter((row) => traces.in(row.standing))) {
    const rest: unknown = JSON.parse(standing, (_, value: unknown) =>
      Array.isArray(value) ? value.filter((one) => !traces.in(JSON.stringify(one))) : value,
    );
    changed += await queries.run('UPDATE health_now SET standing = $2 WHERE endpoint = $1', [
      endpoint,
      JSON.stringify(rest),
    ]);
  }
  return changed;
}
