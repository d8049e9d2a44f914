// A server in a separate process. Prints its address, and its memory use on request.
import { readConfig } from '../../../../lib/config.js';
import { serve } from '../../../../src/compose/serve.js';
import { readHostingConfig } from '../../../../src/config/hosting-config.js';
import { readServerConfig } from '../../../../src/config/server-config.js';
import { heldBytes } from '../../../support/held-memory.js';

/** The process's peak memory since the last request. */
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
  const heapBytes = await heldBytes();
  const rss = process.memoryUsage.rss();
  peak = rss;
  process.send?.({ held: heapBytes, rss, peak: peakBytes });
});
process.send?.(url);
