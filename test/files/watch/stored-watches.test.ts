import { after, describe } from 'node:test';
import type { DatabaseFile } from '../../../lib/database/sqlite/database-file.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { stateFile } from '../../../src/compose/open-state.js';
import { StoredWatches } from '../../../src/files/watch/stored-watches.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { watchesSuite } from './watch-port.js';

const folder = temporaryFolder();
const open: DatabaseFile[] = [];
after(() => Promise.all(open.map((file) => file.close())));

function openFile(home: string): DatabaseFile {
  const opened = stateFile(home, systemClock);
  open.push(opened);
  return opened;
}

describe('watches in SQLite', () => {
  watchesSuite(async () => {
    const home = `${folder}/${open.length}`;
    const state = openFile(home);
    return {
      watches: new StoredWatches(state),
      reopen: async () => new StoredWatches(openFile(home)),
      breakDriver: () => state.close(),
    };
  });
});
