import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { valueAt } from '../../../lib/read/json.js';
import type { Outcome } from './call-outcome.js';
import { isFilled } from './watched-fields.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** The rule for a field: a value, a text of a form, or a number from a floor up. */
const expectation = z.union([
  scalar,
  z.strictObject({ pattern: z.string().refine(isPattern, 'is no regular expression') }),
  z.strictObject({ min: z.number() }),
]);

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A question whose answer is known well enough to notice when an endpoint no longer gives it. */
export const canarySchema = z.strictObject({
  endpoint: z.string(),
  params: z.record(z.string(), scalar),
  /** Fields that must not be null; of a list, in at least one of its objects. */
  filled: z.array(z.string()).default([]),
  /**
   * The required values of fields; in a list, those of its first object. Names may lead into objects: `location.lat`.
   */
  match: z.record(z.string(), expectation).default({}),
  /** Objects that a list must have at least. */
  items: z.int().min(0).default(1),
  /** Why this subject: where it is known from, and why it stays. */
  source: z.string().min(1),
});

export type Canary = z.output<typeof canarySchema>;

/** How a canary ended. `incomplete`: an answer that lacks what it must have; `failed`: our own fault. */
type CanaryOutcome = 'ok' | 'incomplete' | 'failed' | Exclude<Outcome, 'answered'>;

/** How one route of the endpoint answered a canary. */
export interface RouteResult {
  readonly route: string;
  /** `unasked`: there was nothing to ask it by, as no route gave an item, or the question has no such part. */
  readonly outcome: CanaryOutcome | 'unasked';
  /** Code of the error; null for an answer. */
  readonly code: ErrorCode | null;
  /** The faults of the answer as far as this route holds the field, or the error's message. */
  readonly problems: readonly string[];
  /** Fields that came filled, of those that the route holds. */
  readonly filled: number;
  readonly fields: number;
  /** Requests that were sent for it. A page that an earlier route has fetched is not asked for again. */
  readonly requests: number;
  /** Bytes of their answers. */
  readonly bytes: number;
  /** Host and path of the last page that it was read from; empty for none. */
  readonly source: string;
  readonly seconds: number;
}

/** How the endpoint answered a canary: it is ok if its routes together gave all that the canary wants. */
export interface CanaryResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: CanaryOutcome;
  /** Code of the error; null for an answer. */
  readonly code: ErrorCode | null;
  /** The faults of the answer, or the error's message. */
  readonly problems: readonly string[];
  /** Fields of the answer that are filled, of all that it has. */
  readonly filled: number;
  readonly fields: number;
  /** Host and path of the page that answered; empty for none. */
  readonly source: string;
  readonly seconds: number;
  /** In the order in which they were asked; left out by an earlier version. */
  readonly routes?: readonly RouteResult[];
}

function matches(value: unknown, expected: z.output<typeof expectation>): boolean {
  if (typeof expected !== 'object') return value === expected;
  if ('min' in expected) return typeof value === 'number' && value >= expected.min;
  return typeof value === 'string' && new RegExp(expected.pattern, 'u').test(value);
}

function expectedText(expected: z.output<typeof expectation>): string {
  if (typeof expected !== 'object') return JSON.stringify(expected);
  return 'min' in expected ? `at least ${expected.min}` : `like ${expected.pattern}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What an answer to a canary holds and lacks. */
export interface Examined {
  /** The fault of a list that is too short; null for none. */
  readonly short: string | null;
  /** The faults by the field that has them. */
  readonly faults: ReadonlyMap<string, string>;
  /** Names of the fields that are filled. */
  readonly filled: ReadonlySet<string>;
}

/** The names of all fields of an endpoint's object. */
export const fieldsOf = ({ returns }: Endpoint): readonly string[] =>
  returns instanceof z.ZodObject ? Object.keys(returns.shape) : [];

/** Holds the items of an answer against what a canary wants. */
export function examine(
  canary: Canary,
  endpoint: Endpoint,
  items: readonly Readonly<Record<string, unknown>>[],
): Examined {
  const isAnyFilled = (name: string) => items.some((item) => isFilled(valueAt(item, name.split('.'))));
  const faults = new Map<string, string>();
  for (const name of canary.filled) if (!isAnyFilled(name)) faults.set(name, `${name} is not filled.`);
  for (const [name, expected] of Object.entries(canary.match)) {
    const value = valueAt(items[0], name.split('.'));
    if (matches(value, expected)) continue;
    faults.set(name, `${name} is ${shown(value)}, and must be ${expectedText(expected)}.`);
  }
  const isShort = endpoint.many && items.length < canary.items;
  return {
    short: isShort ? `The list has ${items.length} objects, and must have ${canary.items}.` : null,
    faults,
    filled: new Set(fieldsOf(endpoint).filter(isAnyFilled)),
  };
}
