import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { integerText } from '../../output/number-text.js';
import type { NoticedLine } from '../../service/notify/notice-collector.js';
import type { Line } from '../line.js';
import type { Changes } from '../memory/changes.js';
import { type Alerts, parsedSources, type RunOutcome, type Step } from '../step.js';
import type { OnlyNewValues } from './only-new.js';

interface NoticeValues {
  readonly notify?: readonly string[] | undefined;
  readonly notifyAll?: boolean | undefined;
}

function stoppedText({ finished, error }: RunOutcome, signal: CallSignal): string | null | undefined {
  if (finished) return null;
  if (signal.aborted || error === null || (error as NodeJS.ErrnoException).code === 'EPIPE') return undefined;
  return error instanceof ExtractError ? `${error.code}: ${error.message}` : 'An unexpected error ended it.';
}

function noticedLine(line: Line): NoticedLine {
  const { item, json, changed } = line;
  return {
    input: JSON.parse(item.echo),
    own: item.own,
    data: json === null ? null : JSON.parse(json),
    sources: parsedSources(line),
    changed: changed === undefined ? null : (JSON.parse(changed) as Changes),
  };
}

/** Reports the items of a run, and what an earlier run left unreported. */
export const notices: Step<NoticeValues, NoticeValues & OnlyNewValues> = {
  name: 'notices',
  kinds: ['batch', 'area'],
  options: {
    notify: {
      shape: () => z.string(),
      value: 'target',
      repeats: true,
      help: 'Send the items of each run to a webhook, Slack, Discord, Teams, Mattermost, ntfy, an e-mail address; may be repeated',
    },
    notifyAll: {
      shape: () => z.boolean(),
      help: 'With --new and --notify: also send what the first run under the name finds',
    },
  },
  request({ notify = [], notifyAll = false, new: name }, { nameOf }) {
    if (notifyAll && (name === undefined || notify.length === 0))
      throw new ExtractError(
        'missing_parameter',
        `${nameOf('notifyAll')} goes with ${nameOf('new')} NAME and ${nameOf('notify')} TARGET.`,
      );
    if (notify.length === 0) return null;
    return {
      needsSources: true,
      async open({ signal, alerts }) {
        const channels: Alerts = await alerts(notify, name === undefined ? null : { name, first: notifyAll });
        let alert: Awaited<ReturnType<Alerts['begin']>> | undefined;
        return {
          async begin(run) {
            alert = await channels.begin(run);
          },
          async apply<L extends Line>(line: L): Promise<L> {
            await alert?.apply(line.item.index, noticedLine(line));
            return line;
          },
          async saved(before) {
            await alert?.saved(before);
          },
          summary() {
            const knownCount = alert?.known ?? 0;
            if (knownCount === 0) return [];
            return [
              `The first run under ${nameOf('new')} ${name}: ${integerText(knownCount)} remembered, none reported. ${nameOf('notifyAll')} reports them.`,
            ];
          },
          // The next run reports what this one could not.
          async end(outcome) {
            const reason = stoppedText(outcome, signal);
            if (reason === undefined) return;
            try {
              await alert?.end(outcome.finished, reason);
            } catch (cause) {
              if (!signal.aborted) throw cause;
            }
          },
          close: () => channels.close(),
        };
      },
    };
  },
};
