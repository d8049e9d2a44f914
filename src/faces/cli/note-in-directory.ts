import { systemClock } from '../../../lib/runtime/clock.js';
import type { Act } from '../../service/audit/audit-log.js';
import { commandOperator } from './command-operator.js';

/** Records an act in a data directory's audit log, if the act affects the whole directory. */
export async function noteInDirectory(home: string, act: Act): Promise<void> {
  const { openDirectory } = await import('../../compose/open-store.js');
  const directory = await openDirectory(home, systemClock, 0, commandOperator());
  try {
    await directory.audit.note(act);
  } finally {
    await directory.close();
  }
}
