import path from 'node:path';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
let files = 0;

/** The name of a ledger's file that does not exist yet, in a folder that does not either. */
export const newFile = () => path.join(folder, `${++files}`, 'ledger.db');

/** Opens a ledger in a new file. */
export function openNewLedger(clock = new FakeClock()) {
  const file = newFile();
  return { file, clock, ledger: openLedger(file, { clock }) };
}
