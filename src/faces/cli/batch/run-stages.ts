import type { Endpoint } from '../../../../lib/endpoint.js';
import type { ExtractError } from '../../../../lib/errors/extract-error.js';
import { isRefusal } from '../../../../lib/web/cooldown-refusal.js';
import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import type { BatchCommandOptions } from './batch-options.js';
import { runBatchCommand } from './run.js';

interface StagesOptions {
  announce(stage: BatchCommandOptions, at: number): Promise<void>;
  /**
   * Called for a stage that its platform refused; it runs again after the stages of other platforms. Without it, each
   * stage depends on the one before.
   */
  postpone?(stage: BatchCommandOptions): Promise<void>;
}

const ofOthers = (stages: readonly BatchCommandOptions[], { endpoint }: BatchCommandOptions) =>
  stages.filter((other) => other.endpoint.platform !== endpoint.platform);

/**
 * Runs batches one after the other under one credit limit. Failed inputs do not stop later batches. Resolves with the
 * exit status. Throws the error or the exit status of the batch that ended the run.
 */
export async function runStages(
  context: Context,
  stages: readonly BatchCommandOptions[],
  resumeHint: string,
  { announce, postpone }: StagesOptions,
): Promise<number> {
  let spentCredits = 0;
  let status = 0;
  let refusal: ExtractError | undefined;
  let remaining = [...stages];
  const postponed = new Set<Endpoint>();
  for (let at = 0; remaining.length > 0; at += 1) {
    const [currentStage, ...rest] = remaining as [BatchCommandOptions, ...BatchCommandOptions[]];
    remaining = rest;
    const waits = currentStage.onRefusal === 'wait' && currentStage.output !== null;
    const comesAgain =
      waits &&
      !postponed.has(currentStage.endpoint) &&
      postpone !== undefined &&
      ofOthers(remaining, currentStage).length > 0;
    const stage: BatchCommandOptions = comesAgain ? { ...currentStage, onRefusal: 'stop' } : currentStage;
    await announce(stage, at);
    const chained = stage.chained === undefined ? undefined : { ...stage.chained, spent: spentCredits };
    let lastOutcome: BatchOutcome | undefined;
    const onEnded = (outcome: BatchOutcome) => {
      lastOutcome = outcome;
    };
    try {
      await runBatchCommand(context, { ...stage, chained }, { resumeHint, onEnded });
    } catch (error) {
      if (postpone !== undefined && waits && isRefusal(error)) {
        postponed.add(currentStage.endpoint);
        if (comesAgain) {
          remaining.push({ ...currentStage, mode: 'resume' });
          await postpone(stage);
        } else {
          refusal ??= error;
          // The next run starts further stages of this platform.
          remaining = ofOthers(remaining, currentStage);
        }
        continue;
      }
      if (!(error instanceof ExitStatusError) || (lastOutcome?.finished !== true && !stage.dryRun))
        throw error;
      status = error.exitStatus;
    }
    spentCredits += lastOutcome?.totals.charged ?? 0;
  }
  if (refusal !== undefined) throw refusal;
  return status;
}
