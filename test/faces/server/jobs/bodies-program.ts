// A server in a process of its own. It says where it listens, and what memory it holds whenever it is asked.
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from '../../../../lib/config.js';
import { serve } from '../../../../src/compose/serve.js';
import { readHostingConfig } from '../../../../src/config/hosting-config.js';
import { readServerConfig } from '../../../../src/config/server-config.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The largest that the process was since it was asked last. */
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);

const { url } = await serve({
  config: readConfig(process.env),
  server: readServerConfig(process.env),
  hosting: readHostingConfig(process.env),
  log: { write: () => undefined },
});
process.on('message', async () => {
  const peakBytes = peak;
  collectGarbage();
  // Buffers are given back by a thread of its own.
  await setTimeout(200);
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  peak = rss;
  process.send?.({ held: heapUsed + external, rss, peak: peakBytes });
});
process.send?.(url);
