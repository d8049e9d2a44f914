import type { Notice } from './notice.js';
import { NoticeCollector, type NoticedLine } from './notice-collector.js';
import type { Untold, UntoldLine, UntoldRun, UntoldStore } from './untold.js';

/** A run as it begins. */
export interface AlertedRun extends Omit<UntoldRun, 'isFirst' | 'known'> {
  /** Inputs whose lines an earlier process of the same batch wrote. */
  readonly reached: number;
}

export interface RunAlertOptions {
  /** Null for a run of which nothing is remembered: the next one finds the same again. */
  readonly store: UntoldStore | null;
  /** The output or the name that the alert is kept under. */
  readonly key: string;
  /** Whether this is the first run under its name, whose items are told to nobody. */
  readonly isFirst: boolean;
  readonly newId: () => string;
  /** Tells all targets, each in the end or given up. Rejects when the program is to stop. */
  readonly tell: (notice: Notice) => Promise<void>;
}

/** Lines of an earlier run that are in its output: what its checkpoint says of this batch, and its store of another. */
function safeLines({ run: left, saved, lines }: Untold, run: AlertedRun): readonly UntoldLine[] {
  if (left.batch !== run.batch) return lines.filter(({ input }) => input < saved);
  // A retry that begins follows a run that is finished, and one that wrote nothing yet cannot be told from it.
  if (run.retries && (!left.retries || run.reached === 0)) return lines;
  return lines.filter(({ input }) => input < Math.max(saved, run.reached));
}

const noticeRun = ({ endpoint, at, output, resumed }: UntoldRun) => ({
  ...{ endpoint, at, resumed },
  ...{ name: null, job: null, schedule: null, all_at: output },
});

/** The alert of what an earlier run left; null where there is nothing to tell, or a first run told nobody. */
function leftNotice(left: Untold, lines: readonly UntoldLine[], id: string): Notice | null {
  if (left.notice !== null) return left.notice;
  if (left.run.isFirst || lines.length === 0) return null;
  const collector = new NoticeCollector(left.run);
  for (const { part } of lines) collector.join(part);
  return collector.notice({ ...noticeRun(left.run), id, stopped: 'It was interrupted.' });
}

/** Items that became known, told or not, in a first run that is not finished; undefined after any other. */
function knownBefore({ run, notice }: Untold, lines: readonly UntoldLine[]): number | undefined {
  if (!run.isFirst || notice?.stopped === null) return undefined;
  return notice?.known ?? lines.reduce((sum, { part }) => sum + part.count, run.known);
}

/**
 * The alert of one run. Each line is kept before it is written, and told once it is safe: by this run, or by the next one
 * where this is killed. An alert has its id from the moment it is told, so that one that is told twice is known as such.
 */
export class RunAlert {
  readonly #options: RunAlertOptions;
  readonly #run: UntoldRun;
  readonly #all: NoticeCollector;
  readonly #safe: NoticeCollector;
  /** Lines that are not safe yet, in the order of their inputs. */
  #pending: UntoldLine[] = [];
  #known: number;

  private constructor(options: RunAlertOptions, run: UntoldRun) {
    this.#options = options;
    this.#run = run;
    this.#all = new NoticeCollector(run);
    this.#safe = new NoticeCollector(run);
    this.#known = run.known;
  }

  /** Tells what an earlier run left untold, and begins. */
  static async begin(options: RunAlertOptions, { reached, ...about }: AlertedRun): Promise<RunAlert> {
    const { store, key, newId } = options;
    const left = (await store?.read(key)) ?? null;
    const lines = left === null ? [] : safeLines(left, { ...about, reached });
    const known = left === null ? undefined : knownBefore(left, lines);
    const notice = left === null ? null : leftNotice(left, lines, newId());
    if (notice !== null) await sealAndTell(options, notice);
    const run = { ...about, isFirst: options.isFirst || known !== undefined, known: known ?? 0 };
    await store?.begin(key, run);
    return new RunAlert(options, run);
  }

  /** Items of the first run under the name, which nobody is told of. */
  get known(): number {
    return this.#known;
  }

  /** Keeps a line that is about to be written. */
  async apply(input: number, line: NoticedLine): Promise<void> {
    const added = this.#all.add(line);
    if (added === null) return;
    const part = this.#run.isFirst ? { ...added, items: [] } : added;
    this.#pending.push({ input, part });
    const { store, key } = this.#options;
    await store?.add(key, { input, part });
  }

  /** The lines of the inputs before this index are safe. */
  async saved(before: number): Promise<void> {
    const end = this.#pending.findIndex(({ input }) => input >= before);
    const safe = this.#pending.splice(0, end < 0 ? this.#pending.length : end);
    if (safe.length === 0) return;
    for (const { part } of safe) this.#keep(part);
    const { store, key } = this.#options;
    await store?.save(key, before);
  }

  /** Tells of the run: of all of it where it is `finished`, else of what is safe, and why it `stopped`. */
  async end(finished: boolean, stopped: string | null): Promise<void> {
    const { store, key, newId } = this.#options;
    if (finished) for (const { part } of this.#pending.splice(0)) this.#keep(part);
    const run = this.#run;
    const notice = this.#safe.notice({ ...noticeRun(run), id: newId(), stopped }, this.#known);
    if (notice !== null) await sealAndTell(this.#options, notice);
    if (finished || !run.isFirst) await store?.drop(key);
    // The first run goes on with the next process.
    else await store?.begin(key, { ...run, known: this.#known });
  }

  #keep(part: UntoldLine['part']): void {
    if (this.#run.isFirst) this.#known += part.count;
    else this.#safe.join(part);
  }
}

async function sealAndTell({ store, key, tell }: RunAlertOptions, notice: Notice): Promise<void> {
  await store?.seal(key, notice);
  await tell(notice);
}
