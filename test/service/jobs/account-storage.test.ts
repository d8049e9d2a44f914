import { accountStorageSuite } from './account-storage-port.js';
import { jobsHarness } from './harness.js';

accountStorageSuite(jobsHarness);
