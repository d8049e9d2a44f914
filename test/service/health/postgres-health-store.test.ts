import { after } from 'node:test';
import { defaultTimeouts } from '../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { StoredHealth } from '../../../src/service/health/health-history.js';
import { healthSchema } from '../../../src/service/health/health-schema.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { holdToHealthStore } from './health-store-port.js';

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

holdToHealthStore(
  'the history of endpoints in PostgreSQL',
  async () => {
    const database = await makeTestDatabase([postgresSchema(healthSchema)]);
    closes.push(() => database.drop());
    return async () => {
      const postgres = await Postgres.open(database.config, systemClock, defaultTimeouts);
      closes.push(() => postgres.close());
      return new StoredHealth(postgres);
    };
  },
  skipWithoutPostgres,
);
