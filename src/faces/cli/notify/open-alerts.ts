import { ulid } from 'ulid';
import { digest } from '../../../../lib/call/cursor.js';
import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import type { Alerts } from '../../../lines/step.js';
import { RunAlert } from '../../../service/notify/run-alert.js';
import type { Context } from '../context.js';
import { withSeenNames } from '../seen-names.js';
import { openNotifier } from './notifier.js';

interface AlertedOutput {
  readonly endpoint: string;
  readonly config: Config;
  /** The user's name for the output; null for a stream. */
  readonly output: string | null;
}

/** Opens the targets of a run, and the store of unreported items of earlier runs. */
export async function openAlerts(
  { signal, stderr }: Context,
  { endpoint, config, output }: AlertedOutput,
  targets: readonly string[],
  onlyNew: { readonly name: string; readonly first: boolean } | null,
): Promise<Alerts> {
  const notifier = await openNotifier(targets, (text) => stderr.write(text), config);
  const { openState } = await import('../../../compose/open-state.js');
  const state = openState(config.home, systemClock);
  const isFirst =
    onlyNew !== null &&
    !onlyNew.first &&
    !(await withSeenNames(config.home, (names) => names.hasName(onlyNew.name)));
  return {
    begin: ({ id, writtenInputs, isResumable, retries }) =>
      RunAlert.begin(
        {
          // An unnamed stream is read again, with the same results.
          store: isResumable || onlyNew !== null ? state.untold : null,
          key: onlyNew === null ? `output ${digest([output])}` : `name ${onlyNew.name}`,
          isFirst,
          newId: () => `whd_${ulid()}`,
          send: (notice) => notifier.send(notice, signal),
        },
        {
          ...{ batch: id, retries, endpoint, output, isNews: onlyNew !== null },
          ...{ at: new Date(systemClock.now()).toISOString(), writtenInputs, resumed: writtenInputs > 0 },
        },
      ),
    async close() {
      await notifier.close();
      await state.close();
    },
  };
}
