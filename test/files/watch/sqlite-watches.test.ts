import path from 'node:path';
import { after, describe } from 'node:test';
import { StateFile } from '../../../lib/database/sqlite/state-file.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { SqliteWatches, watchesSchema } from '../../../src/files/watch/sqlite/sqlite-watches.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { watchesSuite } from './watch-port.js';

const folder = temporaryFolder();
const open: StateFile[] = [];
after(() => Promise.all(open.map((file) => file.close())));

async function openFile(name: string): Promise<StateFile> {
  const opened = await StateFile.open(path.join(folder, name), systemClock, [watchesSchema]);
  open.push(opened);
  return opened;
}

describe('watches in SQLite', () => {
  watchesSuite(async () => {
    const name = `${open.length}.db`;
    const state = await openFile(name);
    return {
      watches: new SqliteWatches(state),
      reopen: async () => new SqliteWatches(await openFile(name)),
      breakDriver: () => void state.db.close(),
    };
  });
});
