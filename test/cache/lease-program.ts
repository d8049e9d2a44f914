// A separate server process that takes a lease and holds it until killed, started by the tests.
import { PostgresLeases } from '../../lib/cache/postgres/postgres-leases.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { writeLine } from '../support/write-line.js';

const [url = '', key = ''] = process.argv.slice(2);
const postgres = await Postgres.open({ url, connections: 3 }, systemClock);
writeLine(`taken: ${await new PostgresLeases(postgres, systemClock).take(key)}`);
setInterval(() => undefined, 1000);
