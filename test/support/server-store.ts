import { after } from 'node:test';
import type { Clock } from '../../lib/runtime/clock.js';
import { openDatabase, postgresSchemas } from '../../src/open-postgres.js';
import { openDirectory } from '../../src/open-store.js';
import type { OpenStore } from '../../src/stores.js';
import { makeTestDatabase } from './postgres.js';

let isDatabase = false;

/** Makes the servers of this test file keep their state in PostgreSQL, each in a database of its own. */
export function keepInPostgres(): void {
  isDatabase = true;
}

/** Opens what a server of this test file keeps. Whoever opens it closes it. */
export async function openServerStore(home: string, clock: Clock, trialCredits: number): Promise<OpenStore> {
  if (!isDatabase) return openDirectory(home, clock, trialCredits);
  const { config, drop } = await makeTestDatabase(postgresSchemas);
  after(drop);
  return openDatabase(config, { home, clock, trialCredits });
}
