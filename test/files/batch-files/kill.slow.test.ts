import { describeKilledBatches } from './killed-batch.js';

describeKilledBatches((moments) => moments.slice(1, 2));
