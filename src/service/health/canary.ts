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
  /** Host and path of the last page that answered; empty for none. */
  readonly source: string;
  readonly seconds: number;
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

/** The verdict on a canary's answer: the filled fields, and those that are not as they must be. */
export function examine(
  canary: Canary,
  endpoint: Endpoint,
  data: unknown,
): Pick<CanaryResult, 'problems' | 'filled' | 'fields'> {
  const items = (Array.isArray(data) ? data : [data]) as readonly Readonly<Record<string, unknown>>[];
  const names =
    endpoint.returns instanceof z.ZodObject
      ? Object.keys(endpoint.returns.shape)
      : Object.keys(items[0] ?? {});
  const isAnyFilled = (name: string) => items.some((item) => isFilled(valueAt(item, name.split('.'))));
  const problems = canary.filled.filter((name) => !isAnyFilled(name)).map((name) => `${name} is not filled.`);
  for (const [name, expected] of Object.entries(canary.match)) {
    const value = valueAt(items[0], name.split('.'));
    if (!matches(value, expected)) {
      problems.push(`${name} is ${shown(value)}, and must be ${expectedText(expected)}.`);
    }
  }
  if (endpoint.many && items.length < canary.items) {
    problems.unshift(`The list has ${items.length} objects, and must have ${canary.items}.`);
  }
  return { problems, filled: names.filter(isAnyFilled).length, fields: names.length };
}
