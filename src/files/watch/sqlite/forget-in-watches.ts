import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';

interface Delivery {
  readonly id: string;
  readonly delivery_body: string | null;
}

/** Drops deliveries of watches that wait and name a subject. Gives how many they were. To be called in a transaction. */
export function forgetInWatches(db: Database, traces: Traces): number {
  const waiting = db.prepare<[], Delivery>(
    'SELECT id, delivery_body FROM watches WHERE delivery_id IS NOT NULL',
  );
  const drop = db.prepare<[string]>(
    'UPDATE watches SET delivery_id = NULL, delivery_body = NULL WHERE id = ?',
  );
  let removed = 0;
  for (const { id, delivery_body } of waiting.all()) {
    if (traces.in(delivery_body)) removed += drop.run(id).changes;
  }
  return removed;
}
