import path from 'node:path';
import { after } from 'node:test';
import { openStore } from '../../../src/compose/open-store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { holdToHealthStore } from './health-store-port.js';

const folder = temporaryFolder();
let homes = 0;

holdToHealthStore('the history of endpoints in SQLite', async () => {
  homes += 1;
  const home = path.join(folder, String(homes));
  return async () => {
    const { ledger, health } = await openStore(home, new FakeClock(), 0);
    after(() => ledger.close());
    return health;
  };
});
