import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { archivesSuite } from './archives-port.js';
import { jobsHarness, newHome } from './harness.js';

describe('archives of the jobs of a data directory', () => {
  archivesSuite(async (t) => {
    const home = newHome(t);
    const folder = path.join(home, 'jobs');
    return {
      node: (options) => jobsHarness(t, { home, ...options }),
      kept: async () =>
        readdirSync(folder)
          .filter((name) => name.endsWith('.kept.wacz.warc.gz'))
          .reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0),
    };
  });
});
