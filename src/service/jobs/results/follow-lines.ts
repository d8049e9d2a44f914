import { linkedAbort } from '../../../../lib/runtime/abort.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { ResultsProgress } from '../job.js';

/** Milliseconds after which a follower reads the store again, because another process may run the job. */
const pollInterval = 1000;

/** Results that may still grow. */
export interface GrowingResults {
  /** Reads the current progress. */
  readProgress(): Promise<ResultsProgress>;
  /** Returns the offset of a line; null if it does not exist yet. */
  offsetOf(line: number, reached: ResultsProgress): Promise<number | null>;
  /** Returns the bytes from one position to another. */
  read(from: number, to: number): AsyncGenerator<Buffer, void, undefined>;
  /** Resolves when there may be more; rejects with the signal's reason. */
  waitForChange(signal: AbortSignal): Promise<void>;
}

/** Yields the lines from an index to the job's end, as they are written. Throws when the signal is aborted. */
export async function* followLines(
  results: GrowingResults,
  line: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  let position: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const change = results.waitForChange(signal);
    // Awaited below, or not at all.
    change.catch(() => undefined);
    const reached = await results.readProgress();
    position ??= await results.offsetOf(line, reached);
    // Lines were lost and are written again, possibly with another length; the follower will request what it lacks.
    if (position !== null && reached.bytes < position) throw new Error('The results were begun anew.');
    if (position !== null && position < reached.bytes) {
      yield* results.read(position, reached.bytes);
      position = reached.bytes;
    }
    if (reached.lines === reached.total) return;
    await change;
  }
}

/** Waits for progress in this process, or as long as another's may go unnoticed. Rejects with the signal's reason. */
export async function progressOrPoll(
  progress: Promise<void>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { controller: over, unlink } = linkedAbort(signal);
  try {
    await Promise.race([progress, clock.sleep(pollInterval, over.signal)]);
  } finally {
    unlink();
    over.abort();
  }
}
