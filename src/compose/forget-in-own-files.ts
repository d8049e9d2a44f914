import { systemClock } from '../../lib/runtime/clock.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import { forgetInFiles } from '../files/forget/forget-in-files.js';
import type { Forgotten } from '../files/forget/forgotten.js';
import { forgetInSqliteFile } from '../files/forget/sqlite/forget-in-sqlite-file.js';

/** Takes a subject out of files and folders of the user's own; `home`: the data directory, which is not among them. */
export const forgetInOwnFiles = (
  starts: readonly string[],
  traces: Traces,
  home?: string,
): Promise<readonly Forgotten[]> =>
  forgetInFiles(starts, traces, { home, clock: systemClock, forgetInDatabase: forgetInSqliteFile });
