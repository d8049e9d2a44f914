import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { checkResults } from '../../service/jobs/results/check-results.js';
import { ResultsFiles } from '../../service/jobs/results/results-files.js';
import { type Finding, ok, warning } from './finding.js';

/** Milliseconds for which results are read; older ones would keep who looks waiting. */
const atMost = 2_000;
/** Milliseconds a server has to finish what it is writing. */
const settling = 300;
const nothing = 'nothing is stored yet';

/** The results of finished jobs: that their files hold what was written to them. `whole`: all, however many. */
export async function checkJobResults(home: string, whole = false): Promise<Finding> {
  const end = performance.now() + atMost;
  const check = {
    isOver: () => !whole && performance.now() > end,
    wait: () => setTimeout(settling),
  };
  // That the data directory is none is said of itself.
  const isDirectory = await stat(home).then(
    (found) => found.isDirectory(),
    () => true,
  );
  if (!isDirectory) return ok('results', nothing);
  try {
    const { jobs, bytes, unchecked, damaged } = await checkResults(new ResultsFiles(home), check);
    const [first] = damaged;
    if (first !== undefined) {
      const more = damaged.length === 1 ? '' : ` and ${damaged.length - 1} more`;
      const next =
        'Put them back from a backup, or delete them and run the inputs again; results go by themselves after some days.';
      return warning('results', `Files of job results are damaged: jobs/${first.file}${more}.`, next);
    }
    if (jobs + unchecked === 0) return ok('results', nothing);
    const rest = unchecked === 0 ? '' : `; ${unchecked} older not read`;
    return ok('results', `${jobs} jobs, ${(bytes / 1024 ** 2).toFixed(1)} MiB, undamaged${rest}`);
  } catch (cause) {
    return warning('results', `Results cannot be read (${(cause as Error).message}).`, 'Check the disk.');
  }
}
