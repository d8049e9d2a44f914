// A node in a process of its own, which is killed while it works on jobs with archives. After some answers it gets no more.

import { writeLine } from '../../support/write-line.js';
import { real, recordedPages } from './archived-jobs.js';
import { openNode } from './database-harness.js';

const [url = '', home = '', answers = ''] = process.argv.slice(2);
let asked = 0;
const pages = recordedPages(() => {
  asked += 1;
  if (asked <= Number(answers)) return undefined;
  writeLine('stuck');
  return new Promise(() => undefined);
});
const node = await openNode({ url, connections: 10 }, home, {
  ...real,
  services: { pages: async () => pages },
});
node.jobs.wake();
