// A node in a separate process, which is killed while it works. Inputs in the second half of a slice never end.
import { once } from 'node:events';
import { openNode } from './database-harness.js';
import { echo } from './harness.js';

const [url = '', home = ''] = process.argv.slice(2);
const node = await openNode({ url, connections: 10 }, home, {
  async ask(endpoint, params, caller, signal) {
    if (Number(String(params.query).slice(1)) % 100 >= 50) await once(signal, 'abort');
    signal.throwIfAborted();
    return echo(endpoint, params, caller, signal);
  },
});
node.jobs.wake();
