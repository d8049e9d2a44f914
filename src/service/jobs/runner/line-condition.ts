import type { Coverage } from '../../../../lib/call/coverage.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Condition } from '../../../lines/condition/condition.js';
import { keepItems } from '../../../lines/line.js';
import type { Changes } from '../../../lines/memory/changes.js';
import type { LineOptions } from '../job.js';

/** Milliseconds of work after which others have their turn. */
const turnMs = 2;

/** The condition of a job. Rejects `invalid_parameter` for one that cannot be read, or may take long. */
export async function readCondition(endpoint: Endpoint, text: string): Promise<Condition> {
  // Most servers never meet one.
  const { Condition } = await import('../../../lines/condition/condition.js');
  return new Condition(endpoint, text, { name: 'The field when', isForeign: true });
}

const conditions = new WeakMap<LineOptions, Promise<Condition>>();

/** The condition of a job at work, read once; null for none. Rejects as `readCondition` does. */
export function conditionOf(endpoint: Endpoint, options: LineOptions): Promise<Condition> | null {
  if (options.when === undefined) return null;
  const known = conditions.get(options) ?? readCondition(endpoint, options.when);
  conditions.set(options, known);
  return known;
}

/** The parameters of an input, asking for the sources that its line or the condition needs. */
export function withSources(
  params: Readonly<Record<string, unknown>>,
  { sources, new: isNew, history }: LineOptions,
  condition: Condition | null,
): Readonly<Record<string, unknown>> {
  // Sources name the items that a platform gives no other way, and say when each was read.
  if (condition?.namesSource === true || isNew === true || history === true)
    return { ...params, sources: true };
  return sources === true ? { sources, ...params } : params;
}

/** An answer as far as a line repeats it. */
export interface LineAnswer {
  readonly json: string;
  readonly sources?: string | undefined;
  /** Beside the sources. */
  readonly coverage?: Coverage | undefined;
  /** Items that were left out, where any may be. */
  readonly leftOut?: number | undefined;
  /** The fields of an object that changed since an earlier job of its schedule. */
  readonly changed?: Changes | null | undefined;
  /** The IDs of items that are no longer in the list. */
  readonly removed?: readonly string[] | undefined;
}

/** The answer without the items that the condition is not true of. An object that it is not true of is null. */
export async function selectItems(
  account: string,
  condition: Condition,
  answer: LineAnswer,
  many: boolean,
): Promise<LineAnswer> {
  const matches: boolean[] = [];
  let turnBegan = performance.now();
  for (const one of condition.judgements(answer)) {
    matches.push(one === true);
    if (performance.now() - turnBegan < turnMs) continue;
    await accountTurns.next(account);
    turnBegan = performance.now();
  }
  return keepItems(answer, matches, many);
}
