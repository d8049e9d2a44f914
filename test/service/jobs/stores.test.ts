import { describe } from 'node:test';
import { bothStores, directoryStores } from './both-stores.js';
import { jobStoreSuite, runnerStoreSuite } from './job-store-port.js';

for (const [where, skip, open] of bothStores)
  describe(`jobs in ${where}`, { skip }, () => jobStoreSuite(open));

describe('the jobs of a runner in SQLite', () => runnerStoreSuite(directoryStores));
