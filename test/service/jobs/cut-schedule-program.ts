// Makes a schedule of many inputs, and kills itself when an input is read for the nth time. The tests start it.
import { systemClock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';

const [home = '', account = '', reads = ''] = process.argv.slice(2);
const index = '5000';
let count = 0;
const inputs: readonly string[] = new Proxy(
  Array.from({ length: 10_000 }, (_, at) => JSON.stringify({ query: `q${at}` })),
  {
    get(target, name, receiver) {
      if (name === index && ++count === Number(reads)) process.kill(process.pid, 'SIGKILL');
      return Reflect.get(target, name, receiver);
    },
  },
);
const { jobStores } = await openDirectory(home, systemClock, 500);
await jobStores.jobs.create(
  {
    ...{ account, key: undefined, endpoint: 'maps/harbours', credits: 3, inputs },
    ...{ webhookUrl: undefined, idempotency: undefined, schedule: { every: '6h' } },
  },
  () => '',
);
