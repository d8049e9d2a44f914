import { type Clock, elapsed } from '../../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../../lib/runtime/periodic-task.js';
import type { AnswerLine } from '../../../../files/result-files/answer-lines.js';
import type { Changes } from '../../../../lines/memory/changes.js';
import { ndjsonValues } from '../../../../output/ndjson-values.js';
import type { Notice } from '../../../notify/notice.js';
import { NoticeCollector } from '../../../notify/notice-collector.js';
import type { LinesToReturn } from '../../results/unsuppressed-results.js';
import { type AlertStore, type EndedRun, runKey } from './alert-store.js';

export interface RunNoticesOptions {
  readonly store: Pick<AlertStore, 'listEnded' | 'begin'>;
  readonly lines: LinesToReturn;
  readonly clock: Clock;
  readonly jobPage: (job: string) => string;
  readonly onCreated: () => void;
  /** Called if the alerts of a run could not be created; the schedule is empty if it concerns all of them. */
  readonly onError: (schedule: string, cause: unknown) => void;
}

/** Maximum milliseconds between searches. */
const pollInterval = 15_000;

interface ResultLine extends Pick<AnswerLine, 'input' | 'data' | 'sources'> {
  readonly changed?: Changes;
}

/** Creates the alerts of finished runs, once per run and target, even if the process ends in between. */
export class RunNotices {
  readonly #options: RunNoticesOptions;
  readonly #searches: PeriodicTask;
  /** When each failed run is retried. Later runs proceed meanwhile. */
  readonly #retries = new Map<string, number>();

  constructor(options: RunNoticesOptions) {
    this.#options = options;
    this.#searches = new PeriodicTask(options.clock, pollInterval, () => this.#work());
  }

  wake(): void {
    void this.#searches.run();
  }

  stop(): Promise<void> {
    return this.#searches.stop();
  }

  /** Resolves with the milliseconds until the next search; 0 if there are more runs. */
  async #work(): Promise<number> {
    const { store, clock, onCreated, onError } = this.#options;
    const now = elapsed(clock);
    for (const [run, until] of this.#retries) if (until <= now) this.#retries.delete(run);
    let handledCount = 0;
    let createdCount = 0;
    try {
      for (const run of await store.listEnded(new Set(this.#retries.keys()))) {
        if (this.#searches.isStopped) break;
        handledCount += 1;
        if (await this.#createAlerts(run)) createdCount += 1;
        else this.#retries.set(runKey(run), elapsed(clock) + pollInterval);
      }
    } catch (cause) {
      onError('', cause);
    }
    if (createdCount > 0) onCreated();
    if (handledCount > 0) return 1;
    return Math.max(1, Math.min(pollInterval, ...[...this.#retries.values()].map((until) => until - now)));
  }

  /** Creates the alerts of a run. Returns false if that failed; a later search retries it. */
  async #createAlerts(run: EndedRun): Promise<boolean> {
    const { store, onError } = this.#options;
    try {
      await store.begin(run, await this.#noticeOf(run));
      return true;
    } catch (cause) {
      onError(run.schedule, cause);
      return false;
    }
  }

  async #noticeOf({ schedule, job, endpoint, name, at, lineOptions }: EndedRun): Promise<Notice | null> {
    const { lines, jobPage } = this.#options;
    // Deleted results have nothing to report.
    if (!(await lines.isKept(job))) return null;
    const jobLines = await lines.open({ id: job, endpoint });
    const collector = new NoticeCollector({ isNews: lineOptions.new === true });
    for await (const line of ndjsonValues<ResultLine>(jobLines.read())) {
      const { input, data = null, sources = [], changed = null } = line;
      collector.add({ input, data, sources, changed });
    }
    const run = { id: '', endpoint, name, job, schedule, at: new Date(at).toISOString() };
    return collector.notice({ ...run, all_at: jobPage(job), resumed: false });
  }
}
