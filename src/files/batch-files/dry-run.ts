import { identify } from '../../../lib/call/misplaced-url.js';
import { inputsPrice, reservedPrice } from '../../../lib/call/price.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type ErrorObject, ExtractError } from '../../../lib/errors/extract-error.js';
import { parseParams } from '../../../lib/params/parse.js';
import type { Input } from './input.js';
import { lineError } from './line-format.js';

interface Problem {
  readonly line: number;
  readonly code: ErrorObject['code'];
  readonly message: string;
}

/** The price of inputs, and which would fail, computed without any request. */
export interface InputCheck {
  readonly endpoint: string;
  readonly inputs: number;
  /** Inputs that would fail because of their parameters, at no cost. */
  readonly wrong: number;
  /** The first of them. */
  readonly problems: readonly Problem[];
  /** Minimum number of calls for the valid inputs; samples need none. */
  readonly calls: number;
  readonly credits_each: number;
  /** Credits for the valid inputs if each is one successful call. */
  readonly credits: number;
}

/** The inputs that earlier runs under a name have read. */
interface KnownInputs {
  readonly name: string;
  /** Each costs one call, plus one for each further page with news. */
  readonly known: number;
  readonly first: number;
}

export interface Estimate extends InputCheck {
  readonly new?: KnownInputs | undefined;
  readonly balance_before: number | null;
  readonly balance_after: number | null;
  /** At the platform's pace; null if unknown. */
  readonly seconds: number | null;
}

const maxProblems = 1000;

/** A call of an input, or why there is none. */
interface CheckedInput {
  readonly problem: Problem | null;
  readonly demo: boolean;
  readonly limit: number;
}

function checkedInput(endpoint: Endpoint, input: Input): CheckedInput {
  try {
    if (input.params === null) throw input.fault;
    const params = parseParams(endpoint, input.params, input.texts);
    identify(endpoint, params);
    const limit = typeof params.limit === 'number' ? params.limit : (endpoint.page?.max ?? 1);
    return { problem: null, demo: params.demo === true, limit };
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    const { code, message } = lineError(error, input);
    return { problem: { line: input.line, code, message }, demo: false, limit: 0 };
  }
}

/**
 * Checks all inputs as the batch would, up to the call itself. `onRight` receives each valid one, with the number of
 * items it requests: 0 for a sample.
 */
export async function checkInputs(
  endpoint: Endpoint,
  inputs: AsyncIterable<Input>,
  onRight: (input: Input, limit: number) => Promise<void> = async () => {},
): Promise<InputCheck> {
  const problems: Problem[] = [];
  let count = 0;
  let wrong = 0;
  let calls = 0;
  for await (const input of inputs) {
    count += 1;
    const { problem, demo, limit } = checkedInput(endpoint, input);
    if (problem === null) {
      calls += demo ? 0 : 1;
      await onRight(input, demo ? 0 : limit);
    } else {
      wrong += 1;
      if (problems.length < maxProblems) problems.push(problem);
    }
  }
  return {
    endpoint: endpoint.path,
    inputs: count,
    wrong,
    problems,
    calls,
    credits_each: reservedPrice(endpoint),
    credits: inputsPrice(endpoint, calls),
  };
}

interface Means {
  readonly balance: number | null;
  /**
   * Returns the milliseconds that calls take at the platform's pace, by the number of items they request; undefined if
   * unknown.
   */
  timeOf(calls: ReadonlyMap<number, number>): number | undefined;
}

/** Adds the price and the duration to a check. */
export async function estimate(
  endpoint: Endpoint,
  inputs: AsyncIterable<Input>,
  { balance, timeOf }: Means,
  newOnly?: { readonly name: string; isKnown(input: Input): Promise<boolean> },
): Promise<Estimate> {
  let seenCount = 0;
  let first = 0;
  const callsByLimit = new Map<number, number>();
  const checked = await checkInputs(endpoint, inputs, async (input, limit) => {
    if (limit > 0) callsByLimit.set(limit, (callsByLimit.get(limit) ?? 0) + 1);
    if (newOnly === undefined) return;
    if (await newOnly.isKnown(input)) seenCount += 1;
    else first += 1;
  });
  const time = timeOf(callsByLimit);
  const about = newOnly === undefined ? {} : { new: { name: newOnly.name, known: seenCount, first } };
  return {
    ...checked,
    ...about,
    balance_before: balance,
    balance_after: balance === null ? null : balance - checked.credits,
    seconds: time === undefined ? null : Math.round(time / 1000),
  };
}
