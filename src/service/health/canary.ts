import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { valueAt } from '../../../lib/read/json.js';
import type { Outcome } from './call-outcome.js';
import { isFilled } from './watched-fields.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** An exact value, a pattern for text, or a minimum for numbers. */
const expectation = z.union([
  scalar,
  z.strictObject({ pattern: z.string().refine(isPattern, 'is not a regular expression') }),
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

/** A query whose answer is well enough known to notice when an endpoint stops returning it. */
export const canarySchema = z.strictObject({
  endpoint: z.string(),
  params: z.record(z.string(), scalar),
  /** Fields that must not be null; in a list, in at least one item each. */
  filled: z.array(z.string()).default([]),
  /** Required values; in a list, of its first item. Names may be paths: `location.lat`. */
  match: z.record(z.string(), expectation).default({}),
  items: z.int().min(0).default(1),
  /** Why this subject: its source, and why it will last. */
  source: z.string().min(1),
});

export type Canary = z.output<typeof canarySchema>;

/** `incomplete`: the answer lacks something required. `failed`: the error is ours. */
type CanaryOutcome = 'ok' | 'incomplete' | 'failed' | Exclude<Outcome, 'answered'>;

/** The result of a canary on one route of the endpoint. */
export interface RouteResult extends Pick<CanaryResult, 'code' | 'fields' | 'source' | 'seconds'> {
  readonly route: string;
  /**
   * `unasked`: the route could not be queried, because no other route returned an item or the input lacks that part.
   */
  readonly outcome: CanaryOutcome | 'unasked';
  /** What is wrong with the fields that this route provides, or the error's message. */
  readonly problems: readonly string[];
  /** Number of its fields that the answer has. */
  readonly filled: number;
  /** Requests sent. A page that an earlier route fetched is not requested again. */
  readonly requests: number;
  /** Size of the answers in bytes. */
  readonly bytes: number;
}

/** The result of a canary: ok if the routes together returned everything expected. */
export interface CanaryResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: CanaryOutcome;
  /** The error's code; null for an answer. */
  readonly code: ErrorCode | null;
  /** What is wrong with the answer, or the error's message. */
  readonly problems: readonly string[];
  /** Number of fields in the answer. */
  readonly filled: number;
  readonly fields: number;
  /** Host and path of the page that answered; empty if none did. */
  readonly source: string;
  readonly seconds: number;
  /** In order of the requests. Absent in results of earlier versions. */
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

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What an answer to a canary has and lacks. */
export interface Examined {
  /** The problem of a list that is too short; null if it is long enough. */
  readonly short: string | null;
  /** The problems by field. */
  readonly faults: ReadonlyMap<string, string>;
  readonly filled: ReadonlySet<string>;
}

export const fieldsOf = ({ returns }: Endpoint): readonly string[] =>
  returns instanceof z.ZodObject ? Object.keys(returns.shape) : [];

/** Checks the items of an answer against a canary's expectations. */
export function examine(
  canary: Canary,
  endpoint: Endpoint,
  items: readonly Readonly<Record<string, unknown>>[],
): Examined {
  const isAnyFilled = (name: string) => items.some((item) => isFilled(valueAt(item, name.split('.'))));
  const faults = new Map<string, string>();
  for (const name of canary.filled) if (!isAnyFilled(name)) faults.set(name, `${name} is null.`);
  for (const [name, expected] of Object.entries(canary.match)) {
    const value = valueAt(items[0], name.split('.'));
    if (matches(value, expected)) continue;
    faults.set(name, `${name} is ${shortText(value)}, and must be ${expectedText(expected)}.`);
  }
  const isShort = endpoint.many && items.length < canary.items;
  return {
    short: isShort ? `The list has ${items.length} objects, and must have ${canary.items}.` : null,
    faults,
    filled: new Set(fieldsOf(endpoint).filter(isAnyFilled)),
  };
}
