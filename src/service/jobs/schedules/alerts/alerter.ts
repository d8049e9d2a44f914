import type { ItemSource } from '../../../../../lib/read/item-source.js';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../../lib/runtime/periodic-task.js';
import type { Changes } from '../../../../files/seen-items/changes.js';
import type { Mailer } from '../../../accounts/mail/mailer.js';
import type { Notice } from '../../../notify/notice.js';
import { NoticeCollector } from '../../../notify/notice-collector.js';
import { sendNotice } from '../../../notify/send-notice.js';
import type { LinesSource } from '../../results/results-files.js';
import type { Sender } from '../../webhooks/sender.js';
import type { Webhooks } from '../../webhooks/webhooks.js';
import type { AlertStore, DueAlert, EndedRun } from './alert-store.js';

export interface AlerterOptions {
  readonly store: AlertStore;
  readonly lines: LinesSource;
  readonly webhooks: Pick<Webhooks, 'listSecrets'>;
  readonly sender: Sender;
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  /** Address of the page about a job. */
  readonly jobPage: (job: string) => string;
  /** Gets what kept an alert from being made or recorded. */
  readonly onError: (schedule: string, cause: unknown) => void;
}

/** Milliseconds from one look to the next, at most. */
const pollInterval = 15_000;

interface ResultLine {
  readonly input: unknown;
  readonly data?: unknown;
  readonly sources?: readonly ItemSource[];
  readonly changed?: Changes;
}

/** The lines of a job, one after the other. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ResultLine, void, undefined> {
  let parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(0x0a); to >= 0; to = chunk.indexOf(0x0a, from)) {
      parts.push(chunk.subarray(from, to));
      yield JSON.parse(Buffer.concat(parts).toString()) as ResultLine;
      parts = [];
      from = to + 1;
    }
    parts.push(Uint8Array.from(chunk.subarray(from)));
  }
}

/** Tells the targets of schedules of the runs that have ended: at least once each, whatever ends the process in between. */
export class Alerter {
  readonly #options: AlerterOptions;
  readonly #stopping = new AbortController();
  readonly #looks: PeriodicTask;

  constructor(options: AlerterOptions) {
    this.#options = options;
    this.#looks = new PeriodicTask(options.clock, pollInterval, () => this.#work());
  }

  /** Looks for runs and alerts at once, and sees to it that the next look is in time. */
  wake(): void {
    void this.#looks.run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The server stops.', 'AbortError'));
    await this.#looks.stop();
  }

  /** Resolves with the milliseconds until the next look. */
  async #work(): Promise<number> {
    const { store, clock, onError } = this.#options;
    try {
      for (const run of await store.listEnded()) {
        await store
          .begin(run, await this.#noticeOf(run))
          .catch((cause: unknown) => onError(run.schedule, cause));
      }
      const due = await store.claim();
      await Promise.all(due.map((alert) => this.#attempt(alert)));
      const next = await store.findNextDue();
      if (next !== null) return Math.min(pollInterval, Math.max(1, next - clock.now()));
    } catch (cause) {
      if (!this.#stopping.signal.aborted) onError('', cause);
    }
    return pollInterval;
  }

  async #noticeOf({ schedule, job, endpoint, name, at, lineOptions }: EndedRun): Promise<Notice | null> {
    const { lines, jobPage } = this.#options;
    // Results that are gone tell nothing any more.
    if (!(await lines.isKept(job))) return null;
    const collector = new NoticeCollector({ isNews: lineOptions.new === true });
    for await (const { input, data = null, sources = [], changed = null } of linesOf(lines.read(job))) {
      collector.add({ input, data, sources, changed });
    }
    const run = { id: '', endpoint, name, job, schedule, at: new Date(at).toISOString() };
    return collector.notice({ ...run, all_at: jobPage(job), resumed: false });
  }

  async #attempt(alert: DueAlert): Promise<void> {
    const { store, webhooks, sender, mailer, clock, onError } = this.#options;
    try {
      const secrets = alert.target.kind === 'webhook' ? await webhooks.listSecrets(alert.account) : [];
      const carriers = { sender, mailer, secrets, clock };
      const sent = await sendNotice(carriers, alert.target, alert.notice, this.#stopping.signal);
      await store.record(alert, sent);
    } catch (cause) {
      // Its lease ends by itself.
      if (!this.#stopping.signal.aborted) onError(alert.notice.schedule ?? '', cause);
    }
  }
}
