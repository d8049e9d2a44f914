// A separate server process, started by the tests. It sends requests of one key through the limiter until it has
// refused a set number of them.
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { PostgresCounts } from '../../../src/service/limits/postgres/postgres-counts.js';
import { RateLimit } from '../../../src/service/limits/rate-limit.js';
import { writeLine } from '../../support/write-line.js';

const [url = '', quota = '', refusals = '', atOnce = '', pauseMs = ''] = process.argv.slice(2);
const postgres = await Postgres.open({ url, connections: 3 }, systemClock);
const limit = new RateLimit('key', Number(quota), systemClock, new PostgresCounts(postgres));
let passed = 0;

async function ask(): Promise<void> {
  for (let mine = 0; mine < Number(refusals); ) {
    for (let wait = limit.wait('k'); wait !== undefined; wait = limit.wait('k')) await wait;
    if (limit.take('k').allowed) passed += 1;
    else mine += 1;
    await systemClock.sleep(Number(pauseMs));
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, ask));
await postgres.close();
writeLine(String(passed));
