import { open, stat } from 'node:fs/promises';
import { namesIn } from '../../../../lib/runtime/names-in.js';
import { checkedBytes } from './checked-lines.js';
import { DamagedResults, readFailure } from './damaged-results.js';
import type { ResultsFiles } from './results-files.js';
import { readIndex } from './results-index.js';

/** The state of the stored results of finished jobs. */
export interface ResultsCheck {
  /** Jobs, and bytes of lines, that are as they were written. */
  readonly jobs: number;
  readonly bytes: number;
  /** Jobs that nothing can be said of: no time was left, or an older version wrote them, without sums. */
  readonly unchecked: number;
  readonly damaged: readonly DamagedResults[];
}

export interface ResultsCheckOptions {
  /** True when no time is left for another block. */
  readonly isOver: () => boolean;
  /** Pause for a server that is writing or deleting the files that seem damaged. */
  readonly wait: () => Promise<void>;
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function newestFirst(files: ResultsFiles): Promise<readonly string[]> {
  const found: { readonly id: string; readonly at: number }[] = [];
  const names = await namesIn(files.folder);
  for (const name of names) {
    const id = /^(job_\w+)\.index$/.exec(name)?.[1];
    if (id === undefined) continue;
    const at = (await stat(files.index(id)).catch(() => null))?.mtimeMs;
    if (at !== undefined) found.push({ id, at });
  }
  return found.sort((a, b) => b.at - a.at).map(({ id }) => id);
}

/** Reads the lines of a job to their end. Gives their bytes, or null where they cannot be checked. */
async function checkJob(files: ResultsFiles, id: string, isOver: () => boolean): Promise<number | null> {
  const file = files.lines(id);
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw readFailure(file, cause);
  });
  try {
    const bytes = (await handle.stat()).size;
    const { sums } = await readIndex(files.index(id), bytes);
    if (sums === null) return null;
    for await (const _ of checkedBytes({ handle, file, bytes, sums }, 0, bytes)) if (isOver()) return null;
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Reads the results of finished jobs, the newest first, and compares them with their sums. */
export async function checkResults(
  files: ResultsFiles,
  { isOver, wait }: ResultsCheckOptions,
): Promise<ResultsCheck> {
  let [jobs, bytes, unchecked] = [0, 0, 0];
  const damaged: DamagedResults[] = [];
  const check = async (id: string) => {
    const found = isOver() ? null : await checkJob(files, id, isOver);
    if (found === null) unchecked += 1;
    else {
      jobs += 1;
      bytes += found;
    }
  };
  for (const id of await newestFirst(files)) {
    try {
      await check(id).catch(async (cause: unknown) => {
        if (!(cause instanceof DamagedResults)) throw cause;
        await wait();
        if (await isThere(files.index(id))) await check(id);
      });
    } catch (cause) {
      if (!(cause instanceof DamagedResults)) throw cause;
      // A job that is not complete has sums of its own: its index is of an attempt to finish it.
      if (await isThere(files.sums(id))) unchecked += 1;
      else damaged.push(cause);
    }
  }
  return { jobs, bytes, unchecked, damaged };
}
