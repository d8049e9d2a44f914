import { systemClock } from '../../../../lib/runtime/clock.js';
import type { HistoryReader } from '../../../lines/memory/history.js';
import type { HistoryMemory } from '../../../lines/step.js';

/** Opens the history in a file, or creates it. */
export async function openHistory(file: string): Promise<HistoryMemory> {
  const { fileScope, openHistoryFile } = await import('../../../compose/open-history.js');
  const { history, close } = await openHistoryFile(file, systemClock, true);
  return {
    async record(run, observation) {
      await history.record(fileScope, run, [observation]);
    },
    close,
  };
}

/** Runs work on the history in a file. Rejects with `invalid_parameter` if the file has none. */
export async function readHistory<T>(file: string, work: (history: HistoryReader) => Promise<T>): Promise<T> {
  const { fileScope, openHistoryFile } = await import('../../../compose/open-history.js');
  const { history, close } = await openHistoryFile(file, systemClock, false);
  try {
    return await work(history.reader(fileScope));
  } finally {
    await close();
  }
}
