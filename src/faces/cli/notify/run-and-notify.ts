import { ulid } from 'ulid';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import type { Notice } from '../../../service/notify/notice.js';
import type { BatchCommandOptions } from '../batch/batch-options.js';
import { type EndedRun, runBatchCommand } from '../batch/run.js';
import { type Context, configOf } from '../context.js';
import { openNotifier } from './notifier.js';

/** A finished run, as far as its notice says. */
interface RunOfCommand {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly at: number;
  /** The file that its lines are in; null for the standard output. */
  readonly output: string | null;
}

/** The notice about a run of the command line; null where it has nothing to tell. */
export function noticeOf(
  { notices, resumed }: Pick<EndedRun, 'notices' | 'resumed'>,
  { endpoint, id, at, output }: RunOfCommand,
): Notice | null {
  const about = { id, endpoint: endpoint.path, name: null, job: null, schedule: null };
  const run = { ...about, at: new Date(at).toISOString(), all_at: output, resumed };
  return notices?.notice(run) ?? null;
}

/** Runs a batch and tells its targets of it, once it is finished. Rejects as the batch does. */
export async function runAndNotify(
  context: Context,
  options: BatchCommandOptions,
  goOn: string | null,
): Promise<void> {
  const { endpoint, notify, bucket } = options;
  const output = options.output === null ? null : (bucket?.shown(options.output) ?? options.output);
  const { stderr, signal } = context;
  if (notify.length === 0) return runBatchCommand(context, options, goOn);
  const config = await configOf(context);
  const notifier = await openNotifier(notify, (text) => stderr.write(text), config);
  const at = systemClock.now();
  let ended: EndedRun | undefined;
  try {
    try {
      await runBatchCommand(context, options, goOn, (run) => {
        ended = run;
      });
    } finally {
      // Inputs that failed make a status of the run, and what was answered is told all the same.
      const notice =
        ended?.finished === true ? noticeOf(ended, { endpoint, id: `whd_${ulid()}`, at, output }) : null;
      if (notice !== null) await notifier?.tell(notice, signal);
    }
  } finally {
    await notifier?.close();
  }
}
