// A node in a separate process, which is killed while it works. Inputs in the second half of a slice never end.
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import { echo, jobsOver } from './harness.js';

const [url = '', home = ''] = process.argv.slice(2);
const nothingAfter = { after: () => undefined } as unknown as TestContext;
const node = await jobsOver(
  nothingAfter,
  (_, clock, trialCredits) => openDatabase({ url, connections: 10 }, { home, clock, trialCredits }),
  {
    home,
    async ask(endpoint, params, caller, signal) {
      if (Number(String(params.query).slice(1)) % 100 >= 50) await once(signal, 'abort');
      signal.throwIfAborted();
      return echo(endpoint, params, caller, signal);
    },
  },
);
node.jobs.wake();
