import path from 'node:path';
import { after, describe } from 'node:test';
import { StateFile } from '../../../lib/database/sqlite/state-file.js';
import { newsBounds } from '../../../src/files/seen-items/news-store.js';
import { newsSchema } from '../../../src/files/seen-items/sqlite/news-schema.js';
import { SqliteNews } from '../../../src/files/seen-items/sqlite/sqlite-news.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { newsSuite } from './news-port.js';

const folder = temporaryFolder();
const open: StateFile[] = [];
after(() => Promise.all(open.map((file) => file.close())));

async function openFile(file: string, clock: FakeClock): Promise<StateFile> {
  const opened = await StateFile.open(file, clock, [newsSchema]);
  open.push(opened);
  return opened;
}

describe('what earlier runs gave, in SQLite', () => {
  newsSuite(async (bounds = {}) => {
    const clock = new FakeClock();
    const file = path.join(folder, `${open.length}.db`);
    const state = await openFile(file, clock);
    const whole = { ...newsBounds, ...bounds };
    return {
      news: new SqliteNews(state, clock, whole),
      clock,
      reopen: async () => new SqliteNews(await openFile(file, clock), clock, whole),
      breakDriver: () => void state.db.close(),
    };
  });
});
