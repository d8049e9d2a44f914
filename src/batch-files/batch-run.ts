import type { Rest } from '../../lib/batch/backoff.js';
import { type BatchOptions, type CallClient, runBatch } from '../../lib/batch/run-batch.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { type FailedInput, failedInputs, stretch } from './failed-inputs.js';
import type { Input } from './input.js';
import type { LineFormat } from './line-format.js';
import type { Output, Point } from './output.js';
import type { Session } from './session.js';
import { nothingYet, type Totals, withResult } from './tally.js';

/** What a batch works with, whatever becomes of its lines. */
export interface BatchRun {
  readonly asker: CallClient;
  readonly endpoint: Endpoint;
  readonly inputs: AsyncIterable<Input>;
  readonly format: LineFormat;
  readonly options: BatchOptions;
  readonly clock: Clock;
  /** Told how far it has come, after each line. */
  readonly onLine?: (totals: Totals) => void;
  /** Told of a rest of the platform that is waited for. */
  readonly onRest?: (rest: Rest) => void;
}

/** How a batch ended. */
export interface Ended {
  readonly totals: Totals;
  /** False when inputs are left: it was stopped, or an error ended it. */
  readonly done: boolean;
  /** What ended it early. */
  readonly error: unknown;
}

/** Leaves out the inputs whose lines are written. Throws when the input is not the one that they were made from. */
async function* after(inputs: AsyncIterable<Input>, { inputs: count, mark }: Totals): AsyncGenerator<Input> {
  let seen = 0;
  for await (const input of inputs) {
    if (input.index >= count) yield input;
    else if (input.index === count - 1 && input.mark !== mark) break;
    seen = input.index + 1;
  }
  if (seen < count) {
    throw new ExtractError(
      'invalid_parameter',
      `The input is not the one the batch was begun with: its first ${count} inputs are not the same.`,
    );
  }
}

/** Inputs as they are taken: how many, and whether there are no more. */
function watched<Item extends Input>(inputs: AsyncIterable<Item>) {
  const state = { taken: 0, exhausted: false };
  async function* pass(): AsyncGenerator<Item, void, undefined> {
    for await (const input of inputs) {
      state.taken += 1;
      yield input;
    }
    state.exhausted = true;
  }
  return { state, inputs: pass() };
}

/** What a run works through, and what of an older output stands between its lines. */
interface Course<Item extends Input> {
  readonly inputs: AsyncIterable<Item>;
  /** Where the lines stand in the old output that those of an input take the place of. */
  readonly replaces: (item: Item) => { readonly from: number; readonly to: number };
  readonly old: { readonly file: string; readonly size: number } | undefined;
}

function plain(inputs: AsyncIterable<Input>, from: Totals): Course<Input> {
  return { inputs: after(inputs, from), replaces: () => ({ from: 0, to: 0 }), old: undefined };
}

function retried(
  inputs: AsyncIterable<Input>,
  { of, size }: NonNullable<Session['retry']>,
  from: Totals,
): Course<FailedInput> {
  return {
    inputs: failedInputs(inputs, of, from.inputs),
    replaces: ({ old }) => ({ from: old.offset, to: old.offset + old.length }),
    old: { file: of.output, size },
  };
}

/** Takes the old output over up to a place. */
async function copy(
  course: Pick<Course<Input>, 'old'>,
  output: Output,
  point: Point,
  to: number,
): Promise<Point> {
  if (course.old === undefined) return point;
  let reached = point;
  for await (const bytes of stretch(course.old.file, point.copied, to)) {
    reached = { ...reached, copied: reached.copied + bytes.length };
    await output.add(bytes, reached);
  }
  return reached;
}

async function written<Item extends Input>(
  run: BatchRun,
  course: Course<Item>,
  output: Output,
  from: Point,
  session: Session | undefined,
  id: string,
): Promise<Ended> {
  const { asker, endpoint, format, options, clock, onLine, onRest } = run;
  let point = from;
  const source = watched(course.inputs);
  let given = 0;
  const results = runBatch(asker, endpoint, source.inputs, {
    ...options,
    id,
    spent: from.totals.charged,
    resumable: session !== undefined,
    clock,
    onRest(rest) {
      // Whoever pulls the plug during a long rest loses nothing.
      output.keep().catch(() => undefined);
      onRest?.(rest);
    },
  });
  let error: unknown = null;
  let done = false;
  try {
    if (session?.fresh !== false && format.head !== '') await output.add(format.head, point);
    for await (const result of results) {
      const { item } = result as { item: Item };
      const place = course.replaces(item);
      point = await copy(course, output, point, place.from);
      point = { totals: withResult(point.totals, result), copied: place.to };
      const failed = result.error === null ? undefined : item.index;
      const wait = output.add(format.lines(result), point, failed);
      if (wait !== undefined) await wait;
      given += 1;
      onLine?.(point.totals);
    }
    done = source.state.exhausted && given === source.state.taken;
    if (done && course.old !== undefined) point = await copy(course, output, point, course.old.size);
  } catch (cause) {
    error = cause;
  }
  try {
    await output.end(done);
    await session?.close(done);
  } catch (cause) {
    error ??= cause;
    done = false;
    await session?.close(false);
  }
  return { totals: point.totals, done, error };
}

/** Runs a batch into an output that flows on. What was charged and not written is given back. */
export function runToStream(run: BatchRun, output: Output, id: string): Promise<Ended> {
  const from = { totals: nothingYet, copied: 0 };
  return written(run, plain(run.inputs, from.totals), output, from, undefined, id);
}

/** Runs a batch into a file, from where the session stands. */
export function runToFile(run: BatchRun, session: Session): Promise<Ended> {
  const { output, from, id } = session;
  return session.retry === undefined
    ? written(run, plain(run.inputs, from.totals), output, from, session, id)
    : written(run, retried(run.inputs, session.retry, from.totals), output, from, session, id);
}
