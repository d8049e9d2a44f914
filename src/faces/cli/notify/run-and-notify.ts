import type { BatchCommandOptions } from '../batch/batch-options.js';
import { runBatchCommand } from '../batch/run.js';
import { type Context, configOf } from '../context.js';
import { openNotifier } from './notifier.js';

/** Runs a batch that tells its targets of what it finds. Rejects as the batch does. */
export async function runAndNotify(
  context: Context,
  options: BatchCommandOptions,
  goOn: string | null,
): Promise<void> {
  if (options.notify.length === 0) return runBatchCommand(context, options, { goOn });
  const config = await configOf(context);
  const notifier = await openNotifier(options.notify, (text) => context.stderr.write(text), config);
  try {
    await runBatchCommand(context, options, { goOn, notifier });
  } finally {
    await notifier?.close();
  }
}
