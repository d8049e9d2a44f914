import type { Answer } from '../call/envelope.js';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { Extractor } from '../extractor.js';
import { CallAbort, type CallSignal } from '../runtime/abort.js';
import { type Clock, systemClock } from '../runtime/clock.js';
import { Backoff, type BackoffPeriod, type OnRefusal } from './backoff.js';
import { BatchStart } from './batch-start.js';
import { CreditBudget } from './credit-budget.js';
import { notStarted, resultsInOrder } from './ordered.js';
import type { ListRest, Outcome } from './outcome.js';
import type { PaidCalls } from './paid-calls.js';
import {
  BatchEnd,
  type InputRunner,
  type KnownItemsOfList,
  type ReadsOn,
  refundCalls,
  runInput,
} from './run-input.js';

/** The part of an extractor that a batch uses. */
export type CallClient = Pick<Extractor, 'answer' | 'ledger' | 'config'>;

/** Options of a batch. */
export interface BatchOptions {
  /** Maximum inputs in progress at the same time. The pace of a platform may allow fewer requests. */
  readonly concurrency?: number | undefined;
  /** Follow the cursors of a list. The data of a line is the whole list, and costs a call per page. */
  readonly all?: boolean | undefined;
  /**
   * The reaction to a refusal by the platform. `wait` (the default) waits until it answers again, in pauses that grow
   * to an hour. The others are `stop` and `fail`.
   */
  readonly onRefusal?: OnRefusal | undefined;
  /** Milliseconds to wait for a platform that answers nothing before the batch stops. Default: 12 hours. */
  readonly waitAtMostMs?: number | undefined;
  /** Stops before more than this is spent. */
  readonly limitCredits?: number | undefined;
  /** Ends the batch with the signal's reason. Calls in progress are cancelled and refunded. */
  readonly signal?: CallSignal | undefined;
  /**
   * Starts nothing new once aborted: requests in progress finish, calls that wait for their turn are cancelled and cost
   * nothing, and the results end.
   */
  readonly stop?: CallSignal | undefined;
}

/** Options for the programs around the library. */
export interface BatchSettings extends BatchOptions {
  /** Prefix of the call ids: globally unique, and the same when the batch is resumed. */
  readonly id: string;
  /** Credits that earlier runs of the same batch spent, excluding the calls in `paid`. */
  readonly spent?: number;
  readonly paid?: PaidCalls | undefined;
  /** True if results that are not taken stay charged, because the batch can be resumed. */
  readonly resumable?: boolean;
  /** An earlier run's answers to inputs without a line, by index. This run adds its own. */
  readonly answers?: Map<number, readonly Answer[]> | undefined;
  readonly clock?: Clock;
  /** Decides how far each list is read; replaces `all`. */
  readonly readsOn?: ReadsOn | undefined;
  readonly knownItems?: KnownItemsOfList | undefined;
  /** Called for every pause after a refusal. */
  readonly onBackoff?: (period: BackoffPeriod) => void;
}

/** One input: parameters, or what was wrong with it. */
export interface BatchItem {
  /** Index among all inputs, from 0. */
  readonly index: number;
  readonly params: Readonly<Record<string, unknown>> | null;
  /** Why there are no parameters. */
  readonly fault: ExtractError | null;
  /** Parameter values arrive as text. */
  readonly texts?: boolean;
  /** Where an earlier run stopped in its list; only the rest is read. */
  readonly rest?: ListRest | undefined;
}

export interface BatchResult<Item> extends Outcome {
  readonly item: Item;
}

const defaultConcurrency = 16;
/** Calls with more requests than this fill the pace at a lower concurrency, at which the first ones finish earlier. */
const [longCall, longCallConcurrency] = [8, 4];

function concurrencyFor({ page, requests }: Endpoint, { baseUrl }: CallClient['config']): number {
  const counts = Object.values(requests(page?.max ?? 1).expected);
  const isLong = counts.reduce((sum, one) => sum + one, 0) > longCall;
  return isLong && baseUrl === undefined ? longCallConcurrency : defaultConcurrency;
}
const defaultWaitAtMostMs = 12 * 3_600_000;

/** Inputs, and bytes of results, that may wait behind an input that hangs. */
const windowPerTurn = 32;
const maxWaitingBytes = 16 * 1024 * 1024;
/** The weight of a waiting result besides its text. */
const resultBytes = 500;

/**
 * Yields the results of a batch in input order. Throws what ends the whole batch: a refusal that is not waited for,
 * `insufficient_credits`, a broken disk, or the signal's reason. Results that were not yielded are refunded, unless the
 * batch can be resumed.
 */
export async function* runBatch<Item extends BatchItem>(
  client: CallClient,
  endpoint: Endpoint,
  items: AsyncIterable<Item>,
  settings: BatchSettings,
): AsyncGenerator<BatchResult<Item>, void, undefined> {
  const {
    id,
    concurrency = concurrencyFor(endpoint, client.config),
    limitCredits,
    clock = systemClock,
  } = settings;
  // Signals of our own: otherwise every concurrent call would listen to the caller's.
  const stop = new CallAbort(settings.stop);
  // A call that waits for the pace is cancelled like an input that never started.
  const cancellation = new CallAbort();
  const giveUp = () => cancellation.abort(notStarted);
  stop.addEventListener('abort', giveUp);
  if (stop.aborted) giveUp();
  const abort = new CallAbort(settings.signal, cancellation);
  // Pauses are aborted together with the calls.
  const close = () => stop.abort(abort.reason);
  abort.addEventListener('abort', close);
  if (abort.aborted) close();
  const readsOn = settings.all === true || settings.readsOn !== undefined;
  const { knownItems } = settings;
  const runner: InputRunner = {
    endpoint,
    call: ({ id: resumes, params, texts }) =>
      client.answer(endpoint, params, {
        ...{ signal: abort, texts, resumes, readsOn },
        knownItems: knownItems && ((ids) => knownItems({ params, texts }, ids)),
      }),
    refund:
      client.config.baseUrl === undefined ? async (call) => (await client.ledger()).refund(call) : undefined,
    all: settings.all === true,
    readsOn: settings.readsOn,
    backoff: new Backoff(
      settings.onRefusal ?? 'wait',
      client.config.cooldownMs,
      clock,
      settings.onBackoff ?? (() => {}),
      settings.waitAtMostMs ?? defaultWaitAtMostMs,
    ),
    budget:
      limitCredits === undefined
        ? undefined
        : new CreditBudget(limitCredits, settings.spent ?? 0, settings.paid),
    resumable: settings.resumable === true,
    answers: settings.answers,
  };

  const start = new BatchStart();
  const callId = ({ index }: BatchItem) => `${id}:${index}`;

  const work = async (item: Item, closing: CallSignal): Promise<BatchResult<Item>> => {
    const { index, params, fault, texts = false, rest } = item;
    const called = callId(item);
    if (params !== null) {
      const outcome = await runInput(runner, { id: called, index, params, texts, rest }, closing);
      const ending = start.endedBy(outcome);
      if (ending !== null && settings.onRefusal !== 'fail') throw new BatchEnd(ending);
      return { item, ...outcome };
    }
    const error = (fault ?? new ExtractError('invalid_body')).within(called, client.config.docsUrl);
    return { item, json: null, error, source: null, charged: 0, givenBack: 0, calls: 0 };
  };

  try {
    yield* resultsInOrder(items, work, {
      concurrency,
      window: Math.max(256, concurrency * windowPerTurn),
      weigh: ({ json }) => resultBytes + 2 * (json?.length ?? 0),
      maxWaiting: maxWaitingBytes,
      stop,
      abandon: () => abort.abort(new Error('The batch was abandoned.')),
      async discard({ item, ...outcome }) {
        if (!runner.resumable) await refundCalls(runner, callId(item), outcome);
      },
    });
    settings.signal?.throwIfAborted();
  } catch (error) {
    throw error instanceof BatchEnd ? error.error : error;
  } finally {
    abort.unlink();
    stop.unlink();
  }
}
