// A year of a history in PostgreSQL (`npm run bench postgres-history 30`: so many days).
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { DatabaseMemory } from '../../src/lines/memory/database-memory.js';
import { memorySchema } from '../../src/lines/memory/memory-schema.js';
import { countMoves } from '../files/history/simulated-year.js';
import { openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { measureYear } from './history-year.js';

if (skipWithoutPostgres === false) {
  const { config, postgres, close } = await openTestDatabase([postgresSchema(memorySchema)]);
  const rows = (text: string) => postgres.read((queries) => queries.rows<Record<string, unknown>>(text));
  await measureYear(Number(process.argv[2] ?? 365), {
    async open() {
      const opened = await Postgres.open(config, systemClock);
      return { history: new DatabaseMemory(opened, systemClock), close: () => opened.close() };
    },
    moves: () => rows(countMoves),
    bytes: async () => Number((await rows('SELECT pg_database_size(current_database()) AS size'))[0]?.size),
  });
  await close();
  process.exit();
} else console.log(`  left out: ${skipWithoutPostgres}`);
