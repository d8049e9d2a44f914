import { describeKilledBatches } from './killed-batch.js';

describeKilledBatches((moments) => moments);
