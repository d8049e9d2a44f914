import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import type { BatchCommandOptions } from './batch-options.js';
import { runBatchCommand } from './run.js';

/**
 * Runs batches one after the other, whose credits count against one limit. Failed inputs do not stop those that follow:
 * resolves with the exit status. Throws the error or the exit status of the batch that ended them.
 */
export async function runStages(
  context: Context,
  stages: readonly BatchCommandOptions[],
  goOn: string,
  announce: (stage: BatchCommandOptions, at: number) => Promise<void>,
): Promise<number> {
  let spent = 0;
  let status = 0;
  for (const [at, stage] of stages.entries()) {
    await announce(stage, at);
    const chained = stage.chained === undefined ? undefined : { ...stage.chained, spent };
    let ended: BatchOutcome | undefined;
    const onEnded = (outcome: BatchOutcome) => {
      ended = outcome;
    };
    try {
      await runBatchCommand(context, { ...stage, chained }, { goOn, onEnded });
    } catch (error) {
      if (!(error instanceof ExitStatusError) || (ended?.finished !== true && !stage.dryRun)) throw error;
      status = error.exitStatus;
    }
    spent += ended?.totals.charged ?? 0;
  }
  return status;
}
