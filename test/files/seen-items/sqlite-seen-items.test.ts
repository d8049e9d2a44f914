import path from 'node:path';
import { after, describe } from 'node:test';
import { StateFile } from '../../../lib/database/sqlite/state-file.js';
import { seenItemsBounds } from '../../../src/files/seen-items/seen-items-store.js';
import { seenItemsSchema } from '../../../src/files/seen-items/sqlite/seen-items-schema.js';
import { SqliteSeenItems } from '../../../src/files/seen-items/sqlite/sqlite-seen-items.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { newsSuite } from './seen-items-port.js';

const folder = temporaryFolder();
const open: StateFile[] = [];
after(() => Promise.all(open.map((file) => file.close())));

async function openFile(file: string, clock: FakeClock): Promise<StateFile> {
  const opened = await StateFile.open(file, clock, [seenItemsSchema]);
  open.push(opened);
  return opened;
}

describe('what earlier runs gave, in SQLite', () => {
  newsSuite(async (bounds = {}) => {
    const clock = new FakeClock();
    const file = path.join(folder, `${open.length}.db`);
    const state = await openFile(file, clock);
    const whole = { ...seenItemsBounds, ...bounds };
    return {
      news: new SqliteSeenItems(state, clock, whole),
      clock,
      reopen: async () => new SqliteSeenItems(await openFile(file, clock), clock, whole),
      breakDriver: () => void state.db.close(),
    };
  });
});
