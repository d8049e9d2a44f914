import path from 'node:path';
import { ulid } from 'ulid';
import { digest } from '../../../../lib/call/cursor.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { ItemSource } from '../../../../lib/read/item-source.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import type { OpenState } from '../../../compose/open-store.js';
import type { Line } from '../../../lines/line.js';
import type { Changes } from '../../../lines/memory/changes.js';
import type { OpenStep, RunOutcome } from '../../../lines/step.js';
import { grouped } from '../../../output/number-text.js';
import type { NoticedLine } from '../../../service/notify/notice-collector.js';
import { RunAlert } from '../../../service/notify/run-alert.js';
import type { BatchCommandOptions } from '../batch/batch-options.js';
import type { Context } from '../context.js';
import type { Notifier } from './notifier.js';

/** Why a run ended before its last input; undefined where somebody ended it, who needs no alert. */
function stoppedText({ finished, error }: RunOutcome, signal: AbortSignal): string | null | undefined {
  if (finished) return null;
  if (signal.aborted || error === null || (error as NodeJS.ErrnoException).code === 'EPIPE') return undefined;
  return error instanceof ExtractError ? `${error.code}: ${error.message}` : 'An unexpected error ended it.';
}

/** A line as alerts tell of it; one that failed has no items. */
function noticedLine({ item, json, sources, changed }: Line): NoticedLine {
  return {
    input: JSON.parse(item.echo),
    own: item.own,
    data: json === null ? null : JSON.parse(json),
    sources: sources === undefined ? [] : (JSON.parse(sources) as readonly ItemSource[]),
    changed: changed === undefined ? null : (JSON.parse(changed) as Changes),
  };
}

/** Tells the targets of a batch what it found, and what an earlier run left untold. */
export function noticesStep(
  { signal }: Context,
  { endpoint, newsName, notifyAll, output, bucket }: BatchCommandOptions,
  notifier: Notifier,
  home: string,
): OpenStep {
  const isNews = newsName !== null;
  const shown = output === null ? null : (bucket?.shown(output) ?? path.resolve(output));
  let state: OpenState | undefined;
  let alert: RunAlert | undefined;
  return {
    async begin({ id, reached, isResumable, retries }) {
      const { openState } = await import('../../../compose/open-store.js');
      state = await openState(home, systemClock);
      alert = await RunAlert.begin(
        {
          // A stream without a name is read again, and finds the same.
          store: isResumable || isNews ? state.untold : null,
          key: isNews ? `name ${newsName}` : `output ${digest([shown])}`,
          isFirst: isNews && !notifyAll && !(await isNameKnown(home, newsName)),
          newId: () => `whd_${ulid()}`,
          tell: (notice) => notifier.tell(notice, signal),
        },
        {
          ...{ batch: id, retries, endpoint: endpoint.path, output: shown, isNews },
          ...{ at: new Date(systemClock.now()).toISOString(), reached, resumed: reached > 0 },
        },
      );
    },
    async apply(line) {
      await alert?.apply(line.item.index, noticedLine(line));
      return line;
    },
    async saved(before) {
      await alert?.saved(before);
    },
    summary() {
      const known = alert?.known ?? 0;
      if (known === 0) return [];
      return [
        `The first run under --new ${newsName}: ${grouped(known)} known, none reported. --notify-all reports them.`,
      ];
    },
    // What is not told when the program is to stop, the next run tells.
    async end(outcome) {
      const stopped = stoppedText(outcome, signal);
      if (stopped === undefined) return;
      try {
        await alert?.end(outcome.finished, stopped);
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    },
    async close() {
      await state?.close();
    },
  };
}

async function isNameKnown(home: string, name: string): Promise<boolean> {
  const { openSeenNames } = await import('../../../compose/open-seen-names.js');
  const { names, close } = await openSeenNames(home, systemClock);
  try {
    return await names.hasName(name);
  } finally {
    await close();
  }
}
