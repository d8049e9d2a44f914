import type { Notice } from './notice.js';
import { NoticeCollector, type NoticedLine } from './notice-collector.js';
import type { StoredUnsentAlerts } from './stored-unsent-alerts.js';
import type { UnsentAlert, UnsentLine, UnsentRun } from './unsent-alert.js';

/** A run at its start. */
export interface AlertedRun extends Omit<UnsentRun, 'isFirst' | 'known'> {
  /** Inputs whose lines an earlier process of the same batch wrote. */
  readonly writtenInputs: number;
}

export interface RunAlertOptions {
  /** Null for a run that remembers nothing, so that the next one finds the same items again. */
  readonly store: StoredUnsentAlerts | null;
  /** The output or name under which the alert is stored. */
  readonly key: string;
  /** True for the first run under its name, whose items are not reported. */
  readonly isFirst: boolean;
  readonly newId: () => string;
  /** Sends to all targets. Resolves once each was reached or given up; rejects if the program is stopping. */
  readonly send: (notice: Notice) => Promise<void>;
}

/**
 * Returns an earlier run's lines that are in its output: by the checkpoint for this batch, by its store for another.
 */
function safeLines({ run: unsent, saved, lines }: UnsentAlert, run: AlertedRun): readonly UnsentLine[] {
  if (unsent.batch !== run.batch) return lines.filter(({ input }) => input < saved);
  // A retry follows a finished run, which looks the same as one that has written nothing yet.
  if (run.retries && (!unsent.retries || run.writtenInputs === 0)) return lines;
  return lines.filter(({ input }) => input < Math.max(saved, run.writtenInputs));
}

const noticeRun = ({ endpoint, at, output, resumed }: UnsentRun) => ({
  ...{ endpoint, at, resumed },
  ...{ name: null, job: null, schedule: null, all_at: output },
});

/** Returns the notice that an earlier run left unsent; null if it was a first run or has nothing to report. */
function leftNotice(unsent: UnsentAlert, lines: readonly UnsentLine[], id: string): Notice | null {
  if (unsent.notice !== null) return unsent.notice;
  if (unsent.run.isFirst || lines.length === 0) return null;
  const collector = new NoticeCollector(unsent.run);
  for (const { part } of lines) collector.join(part);
  return collector.notice({ ...noticeRun(unsent.run), id, stopped: 'It was interrupted.' });
}

/** Returns the items recorded by an unfinished first run; undefined after any other run. */
function knownBefore({ run, notice }: UnsentAlert, lines: readonly UnsentLine[]): number | undefined {
  if (!run.isFirst || notice?.stopped === null) return undefined;
  return notice?.known ?? lines.reduce((sum, { part }) => sum + part.count, run.known);
}

/**
 * The alert of one run. Each line is stored before it is written, and reported once it is safe: by this run, or by the
 * next one if this is killed. An alert gets its id when it is first sent, so that receivers recognise a repetition.
 */
export class RunAlert {
  readonly #options: RunAlertOptions;
  readonly #run: UnsentRun;
  readonly #all: NoticeCollector;
  readonly #safe: NoticeCollector;
  /** Lines that are not safe yet, in input order. */
  #pending: UnsentLine[] = [];
  #known: number;

  private constructor(options: RunAlertOptions, run: UnsentRun) {
    this.#options = options;
    this.#run = run;
    this.#all = new NoticeCollector(run);
    this.#safe = new NoticeCollector(run);
    this.#known = run.known;
  }

  /** Reports what an earlier run left unsent, and starts. */
  static async begin(options: RunAlertOptions, { writtenInputs, ...about }: AlertedRun): Promise<RunAlert> {
    const { store, key, newId } = options;
    const unsent = (await store?.read(key)) ?? null;
    const lines = unsent === null ? [] : safeLines(unsent, { ...about, writtenInputs });
    const knownCount = unsent === null ? undefined : knownBefore(unsent, lines);
    const notice = unsent === null ? null : leftNotice(unsent, lines, newId());
    if (notice !== null) await sealAndSend(options, notice);
    const run = { ...about, isFirst: options.isFirst || knownCount !== undefined, known: knownCount ?? 0 };
    await store?.begin(key, run);
    return new RunAlert(options, run);
  }

  get known(): number {
    return this.#known;
  }

  /** Stores a line that is about to be written. */
  async apply(input: number, line: NoticedLine): Promise<void> {
    const added = this.#all.add(line);
    if (added === null) return;
    const part = this.#run.isFirst ? { ...added, items: [] } : added;
    this.#pending.push({ input, part });
    const { store, key } = this.#options;
    await store?.add(key, { input, part });
  }

  /** Records that the lines of all inputs before this index are safe. */
  async saved(before: number): Promise<void> {
    const end = this.#pending.findIndex(({ input }) => input >= before);
    const safe = this.#pending.splice(0, end < 0 ? this.#pending.length : end);
    if (safe.length === 0) return;
    for (const { part } of safe) this.#keep(part);
    const { store, key } = this.#options;
    await store?.save(key, before);
  }

  /** Reports the run: all of it if finished, otherwise what is safe, with the reason in `stopped`. */
  async end(isFinished: boolean, reason: string | null): Promise<void> {
    const { store, key, newId } = this.#options;
    if (isFinished) for (const { part } of this.#pending.splice(0)) this.#keep(part);
    const run = this.#run;
    const notice = this.#safe.notice({ ...noticeRun(run), id: newId(), stopped: reason }, this.#known);
    if (notice !== null) await sealAndSend(this.#options, notice);
    if (isFinished || !run.isFirst) await store?.drop(key);
    // The next process continues the first run.
    else await store?.begin(key, { ...run, known: this.#known });
  }

  #keep(part: UnsentLine['part']): void {
    if (this.#run.isFirst) this.#known += part.count;
    else this.#safe.join(part);
  }
}

async function sealAndSend({ store, key, send }: RunAlertOptions, notice: Notice): Promise<void> {
  await store?.seal(key, notice);
  await send(notice);
}
