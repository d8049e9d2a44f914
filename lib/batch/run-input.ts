import { asksForSample } from '../call/call-request.js';
import type { Answer } from '../call/envelope.js';
import { reservedPrice } from '../call/price.js';
import type { Endpoint } from '../endpoint.js';
import { type ErrorType, ExtractError, problemOf } from '../errors/extract-error.js';
import { isShortage } from '../errors/shortage.js';
import { StorageError } from '../errors/storage-error.js';
import type { KnownItems } from '../routes/reading.js';
import type { CallSignal } from '../runtime/abort.js';
import { isRefusal } from '../web/cooldown-refusal.js';
import type { Backoff } from './backoff.js';
import type { CreditBudget } from './credit-budget.js';
import { notStarted } from './ordered.js';
import type { ListRest, Outcome } from './outcome.js';
import { joinedAnswers } from './read-pages.js';

export interface InputCall {
  /** The id under which it is charged. `pageId` derives the ids of later pages. */
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Parameter values arrive as text. */
  readonly texts: boolean;
  /** Where an earlier run stopped in the input's list. */
  readonly rest?: ListRest | undefined;
}

/** Decides after each page of a list whether to read the next one. A rejection ends the batch. */
export type ReadsOn = (call: Pick<InputCall, 'params' | 'texts'>, answer: Answer) => Promise<boolean>;

/** Returns which of a list's items need not be read from their own pages, by ID. */
export type KnownItemsOfList = (
  call: Pick<InputCall, 'params' | 'texts'>,
  ...ids: Parameters<KnownItems>
) => ReturnType<KnownItems>;

/** What running the inputs of a batch, or an input of a job, requires. */
export interface InputRunner {
  readonly endpoint: Pick<Endpoint, 'credits'>;
  readonly call: (input: InputCall) => Promise<Answer>;
  /** Refunds a call; undefined if a server charges its calls itself. */
  readonly refund: ((id: string) => Promise<unknown>) | undefined;
  /** Follow the cursors: the data is the whole list. */
  readonly all: boolean;
  /** Decides how far the cursors are followed; replaces `all`. */
  readonly readsOn?: ReadsOn | undefined;
  readonly backoff: Backoff;
  readonly budget: CreditBudget | undefined;
  /** True if a later run can use what was charged but not yielded, so that it stays charged. */
  readonly resumable: boolean;
  /** Answers to inputs without a line, by index. An earlier run's answers are not requested again. */
  readonly answers?: Map<number, readonly Answer[]> | undefined;
}

/** Returns the id under which a page is charged. Pages count from 1. */
function pageId(id: string, page: number): string {
  return page === 1 ? id : `${id}:${page}`;
}

/** Pauses during a shortage of this machine's resources, which may last a minute. */
const shortagePauseMs = 1_000;
const maxShortages = 60;

/** Maximum tries of an input that the platform refuses while it answers others. */
const maxTries = 3;

/** Errors about the account: the next input would end the same way. */
const accountErrors: ReadonlySet<ErrorType> = new Set(['authentication', 'permission', 'billing']);

/** Returns true if every further input would fail for the same reason, such as a full disk. */
function endsBatch(error: ExtractError): boolean {
  return (
    accountErrors.has(error.type) ||
    isShortage(error) ||
    (error instanceof StorageError && error.fault !== 'failed')
  );
}

/** Returns true if a failed call was charged. Calls with invalid parameters are not. */
function wasCharged({ type }: ExtractError): boolean {
  return type !== 'invalid_request' && !accountErrors.has(type);
}

async function isNextWanted(
  { all, readsOn }: InputRunner,
  input: InputCall,
  answer: Answer,
): Promise<boolean> {
  if (readsOn === undefined) return all;
  try {
    return await readsOn(input, answer);
  } catch (error) {
    throw error instanceof ExtractError ? new BatchEnd(error) : error;
  }
}

/** Carries an error that ends the batch past the inputs, whose own errors become lines. */
export class BatchEnd extends Error {
  readonly error: ExtractError;

  constructor(error: ExtractError) {
    super(error.message);
    this.error = error;
  }
}

/** Makes one call and repeats it after each cooldown of the platform. */
async function callWithRetries(
  { call, backoff, budget }: InputRunner,
  input: InputCall,
  index: number,
  price: number,
  closing: CallSignal,
): Promise<Answer> {
  let shortages = 0;
  /** The input's first refusal, reported if no retry gets further. */
  let refusal: ExtractError | undefined;
  let answers = -1;
  for (let tries = 1; ; tries += 1) {
    try {
      await backoff.wait(closing);
      if (budget?.claimPaid(input.id) !== true) await budget?.take(price, index);
    } catch (error) {
      throw error instanceof ExtractError ? new BatchEnd(error) : notStarted;
    }
    try {
      if (closing.aborted) throw notStarted;
      const answer = await call(input);
      budget?.release(price - answer.meta.credits_charged);
      backoff.recordAnswer();
      return answer;
    } catch (error) {
      budget?.release(price);
      if (!(error instanceof ExtractError)) throw error;
      if (isShortage(error) && shortages < maxShortages) {
        shortages += 1;
        tries -= 1;
        await backoff.pause(shortagePauseMs, closing).catch(() => {
          throw notStarted;
        });
        continue;
      }
      if (endsBatch(error)) throw new BatchEnd(error);
      if (error.type === 'not_found') backoff.recordAnswer();
      // A server may rate-limit us, too, and says until when.
      const asksToWait = isRefusal(error) || error.code === 'rate_limited';
      if (!asksToWait) throw error;
      // A refusal of all inputs does not count as a try.
      if (backoff.answers === answers && !error.answeredElsewhere) tries -= 1;
      answers = backoff.answers;
      const pauseMs = retryPause(backoff, error);
      refusal ??= backoff.causeOf(error);
      if (pauseMs === 'never') throw new BatchEnd(refusal);
      if (pauseMs === null || tries === maxTries) throw refusal;
      await backoff.pause(pauseMs, closing).catch(() => {
        throw notStarted;
      });
    }
  }
}

/** Returns the pause before a refused input is retried; null for no retry, `never` if the batch must stop. */
function retryPause(backoff: Backoff, refusal: ExtractError): number | null | 'never' {
  try {
    return backoff.recordRefusal(refusal);
  } catch {
    return 'never';
  }
}

export async function refundCalls(
  { refund, budget }: Pick<InputRunner, 'refund'> & { readonly budget?: CreditBudget | undefined },
  id: string,
  { calls, charged }: Pick<Outcome, 'calls' | 'charged'>,
): Promise<void> {
  if (refund === undefined) return;
  for (let page = 1; page <= calls; page += 1) await refund(pageId(id, page));
  budget?.release(charged);
}

/** Refunds the pages after the last one, which an earlier run of the batch may have paid for. */
async function refundRest(
  { refund, all, readsOn, resumable, budget }: InputRunner,
  input: InputCall,
  calls: number,
): Promise<void> {
  const mayHold = resumable && (all || readsOn !== undefined) && !asksForSample(input.params, input.texts);
  if (refund === undefined || !mayHold) return;
  for (let page = calls + 1; ; page += 1) {
    try {
      await refund(pageId(input.id, page));
      budget?.drop(pageId(input.id, page));
    } catch (error) {
      if (error instanceof StorageError) throw new BatchEnd(error);
      // A page that no run paid for has no row, and neither has any later page.
      return;
    }
  }
}

/** Returns the error of a page, for a line with the pages before it. */
function withEarlierPages(error: ExtractError, rest: ListRest, hasPages: boolean): ExtractError {
  const isDead = error.type === 'invalid_request' && !hasPages;
  const then = isDead ? 'a new batch reads the list from its beginning' : 'this page is free';
  const storedPagesText =
    rest.pages === 1 ? 'The page before it stays' : `The ${rest.pages} pages before it stay`;
  return error.withMessage(`${problemOf(error)} ${storedPagesText}; ${then}.`);
}

/**
 * Runs one input to its end: one call, or a call per page. An error of the input becomes an outcome, with the pages
 * before it. An error that must end the whole batch (no credits, a broken disk) is thrown as `BatchEnd`. Throws
 * `notStarted` once `closing` is aborted, and the signal's reason if the batch was cancelled.
 */
export async function runInput(
  runner: InputRunner,
  { index, rest: from, ...input }: InputCall & { readonly index: number },
  closing: CallSignal,
): Promise<Outcome> {
  const { endpoint, budget, resumable } = runner;
  const price = reservedPrice(endpoint, asksForSample(input.params, input.texts));
  let earlier = runner.answers?.get(index) ?? [];
  let pages: Answer[] = [];
  const joins = runner.all || runner.readsOn !== undefined ? { joins: true } : {};
  const pagesRead = () => (from?.pages ?? 0) + pages.length;
  let rest = from;
  let isReread = false;
  budget?.enter();
  try {
    for (;;) {
      const id = pageId(input.id, pagesRead() + 1);
      const params = rest === undefined ? input.params : { ...input.params, cursor: rest.cursor };
      let answer = earlier[pages.length];
      try {
        answer ??= await callWithRetries(runner, { ...input, id, params }, index, price, closing);
      } catch (error) {
        const isFirst = pages.length === earlier.length && earlier.length > 0;
        if (!(isFirst && error instanceof ExtractError && error.type === 'invalid_request')) throw error;
        // The earlier run's cursor has expired: its pages are read again, without another charge.
        [earlier, pages, rest, isReread] = [[], [], from, true];
        continue;
      }
      pages.push(answer);
      runner.answers?.set(index, pages);
      const { next_cursor: cursor } = answer.meta;
      if (cursor === null || !(await isNextWanted(runner, input, answer))) break;
      rest = { cursor, pages: pagesRead() };
    }
    await refundRest(runner, input, pagesRead());
    const partOfList = from === undefined ? {} : { isWhole: false };
    return { ...joinedAnswers(pages), ...joins, ...partOfList, isReread, error: null, givenBack: 0 };
  } catch (error) {
    const came = joinedAnswers(pages);
    if (!(error instanceof ExtractError)) {
      if (!resumable) await refundCalls(runner, input.id, came);
      throw error;
    }
    await refundRest(runner, input, pagesRead());
    const givenBack = wasCharged(error) ? price : 0;
    if (rest === undefined) return { ...came, error, givenBack };
    const failure = withEarlierPages(error, rest, pages.length > 0);
    const { coverage } = came;
    // A platform that requires a login shows visitors no more.
    const ending = error.code === 'platform_login_required' ? 'visitors' : 'refused';
    const cut: Partial<Outcome> = coverage === undefined ? {} : { coverage: { ...coverage, ended: ending } };
    return { ...came, ...cut, ...joins, error: failure, givenBack, rest, isWhole: false };
  } finally {
    budget?.leave();
  }
}
