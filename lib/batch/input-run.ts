import type { Endpoint } from '../endpoint.js';
import { type ErrorType, ExtractError } from '../errors/extract-error.js';
import type { Extractor } from '../extractor.js';
import type { CallSignal } from '../runtime/abort.js';
import { sqliteFault } from '../sqlite/sqlite-fault.js';
import { isRefusal } from '../web/cooldown.js';
import type { Backoff } from './backoff.js';
import type { CreditBudget } from './credit-budget.js';
import { notBegun } from './ordered.js';

/** The part of an extractor that a batch works with. */
export type CallClient = Pick<Extractor, 'answer' | 'ledger' | 'config'>;

/** How one input ended. */
export interface Outcome {
  /** `data` as JSON text; null when it failed. */
  readonly json: string | null;
  readonly error: ExtractError | null;
  /** Credits that it cost in the end. */
  readonly charged: number;
  /** Credits that were charged and given back, as the ledger's rows show it. */
  readonly givenBack: number;
  /** Calls that stay charged. */
  readonly calls: number;
}

/** One input under way. */
export interface InputRun {
  /** Id of its first call: `pageId` makes those of the following pages from it. */
  readonly id: string;
  readonly index: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly texts: boolean;
}

export interface Runner {
  readonly asker: CallClient;
  readonly endpoint: Endpoint;
  /** Follow the cursors: the data is the whole list. */
  readonly all: boolean;
  /** Ends the calls under way. */
  readonly signal: CallSignal;
  readonly rests: Backoff;
  readonly allowance: CreditBudget | undefined;
  /** True when what is charged and not given can be taken up later, so that it stays charged. */
  readonly resumable: boolean;
}

/** Under which id a call of an input is charged; its pages count from 1. */
function pageId(id: string, page: number): string {
  return page === 1 ? id : `${id}:${page}`;
}

/** Tries of one input that the platform refused while it answered others. */
const mostTries = 3;

/** Errors that say something of the account and not of the input: the next input would end the same way. */
const ofTheAccount: ReadonlySet<ErrorType> = new Set(['authentication', 'permission', 'billing']);

/** A full or broken disk under ledger or cache: each further input would fail for the same reason. */
function isStorageFault(error: ExtractError): boolean {
  return error.code === 'internal_error' && sqliteFault(error.cause) !== 'unknown';
}

/** Whether a failed call was charged before it failed; one whose parameters are wrong is not. */
function wasCharged({ type }: ExtractError): boolean {
  return type !== 'invalid_request' && !ofTheAccount.has(type);
}

/** The lists of several pages as one, without looking into them. */
function joined(pages: readonly string[]): string {
  if (pages.length === 1) return pages[0] as string;
  return `[${pages
    .map((page) => page.slice(1, -1))
    .filter((items) => items !== '')
    .join(',')}]`;
}

/** Carries an error that ends the batch past the inputs, whose own errors are lines. */
export class BatchEnd extends Error {
  readonly error: ExtractError;

  constructor(error: ExtractError) {
    super(error.message);
    this.error = error;
  }
}

/** One call, tried again after each rest that the platform needs. */
async function callOnce(runner: Runner, { id, index, params, texts }: InputRun, closing: CallSignal) {
  const { asker, endpoint, signal, rests, allowance } = runner;
  const price = params.demo === true ? 0 : endpoint.credits;
  for (let tries = 1; ; tries += 1) {
    try {
      await rests.wait(closing);
      await allowance?.take(price, index);
    } catch (error) {
      throw error instanceof ExtractError ? new BatchEnd(error) : notBegun;
    }
    try {
      if (closing.aborted) throw notBegun;
      const answer = await asker.answer(endpoint, params, { signal, texts, resumes: id });
      rests.answered();
      return answer;
    } catch (error) {
      allowance?.giveBack(price);
      if (!(error instanceof ExtractError)) throw error;
      if (ofTheAccount.has(error.type) || isStorageFault(error)) throw new BatchEnd(error);
      if (error.type === 'not_found') rests.answered();
      // A server that is asked in place of the platforms has a limit of its own, and says when it is over.
      const asksToWait = isRefusal(error) || error.code === 'rate_limited';
      if (!asksToWait || !mayTryAgain(rests, error) || tries === mostTries) throw error;
    }
  }
}

function mayTryAgain(rests: Backoff, refusal: ExtractError): boolean {
  try {
    return rests.refused(refusal);
  } catch {
    throw new BatchEnd(refusal);
  }
}

/** Gives back what so many calls of an input cost, and tells how much; a server's ledger is not ours to change. */
export async function refundPages(
  { asker, allowance, endpoint }: Runner,
  id: string,
  calls: number,
): Promise<number> {
  if (asker.config.baseUrl !== undefined) return 0;
  for (let page = 1; page <= calls; page += 1) {
    await (await asker.ledger()).refund(pageId(id, page));
    allowance?.giveBack(endpoint.credits);
  }
  return calls * endpoint.credits;
}

/**
 * Runs one input to its end: its call or, page by page, its calls. An error of the input is an outcome; what
 * must end the whole batch (no credits, a refusal that is not waited for, a broken disk) is thrown as `BatchEnd`,
 * `notBegun` where it was told to begin nothing new, and the signal's reason when it was given up.
 */
export async function runInput(runner: Runner, input: InputRun, closing: CallSignal): Promise<Outcome> {
  const { endpoint, allowance } = runner;
  const price = input.params.demo === true ? 0 : endpoint.credits;
  const pages: string[] = [];
  allowance?.enter();
  try {
    let { params } = input;
    for (;;) {
      const id = pageId(input.id, pages.length + 1);
      const { json, meta } = await callOnce(runner, { ...input, id, params }, closing);
      pages.push(json);
      if (!runner.all || meta.next_cursor === null) break;
      params = { ...input.params, cursor: meta.next_cursor };
    }
    const calls = price === 0 ? 0 : pages.length;
    return { json: joined(pages), error: null, charged: calls * price, givenBack: 0, calls };
  } catch (error) {
    const failed = error instanceof ExtractError;
    const undone =
      price > 0 && (failed || !runner.resumable) ? await refundPages(runner, input.id, pages.length) : 0;
    if (!failed) throw error;
    const spent = price * pages.length - undone;
    const givenBack = undone + (wasCharged(error) ? price : 0);
    return { json: null, error, charged: spent, givenBack, calls: spent === 0 ? 0 : pages.length };
  } finally {
    allowance?.leave();
  }
}
