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
  news: { readonly name: string; readonly first: boolean } | null,
): Promise<Alerts> {
  const notifier = await openNotifier(targets, (text) => stderr.write(text), config);
  const { openState } = await import('../../../compose/open-state.js');
  const state = openState(config.home, systemClock);
  const isFirst =
    news !== null && !news.first && !(await withSeenNames(config.home, (names) => names.hasName(news.name)));
  return {
    begin: ({ id, reached, isResumable, retries }) =>
      RunAlert.begin(
        {
          // An unnamed stream is read again, with the same results.
          store: isResumable || news !== null ? state.untold : null,
          key: news === null ? `output ${digest([output])}` : `name ${news.name}`,
          isFirst,
          newId: () => `whd_${ulid()}`,
          tell: (notice) => notifier.tell(notice, signal),
        },
        {
          ...{ batch: id, retries, endpoint, output, isNews: news !== null },
          ...{ at: new Date(systemClock.now()).toISOString(), reached, resumed: reached > 0 },
        },
      ),
    async close() {
      await notifier.close();
      await state.close();
    },
  };
}
