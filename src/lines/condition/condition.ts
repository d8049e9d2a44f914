import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { itemSource } from '../../../lib/item-source-schema.js';
import { type Field, fieldsOf } from '../../files/result-files/fields.js';
import { checkFields, FieldFault } from './check-fields.js';

/** The variable of a condition that holds an entry of `sources`. */
const sourceName = 'source';

/** Arithmetic between a number of an item, which is always a double, and an integer of the condition. */
const arithmetic: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
};

/** Returns the names available in conditions of an endpoint: the fields of its object, and `source`. */
function variablesOf(endpoint: Endpoint): readonly Field[] {
  return [
    ...fieldsOf(endpoint.returns),
    { name: sourceName, shape: { kind: 'object', fields: fieldsOf(itemSource) } },
  ];
}

function environmentOf(variables: readonly Field[], maxAstNodes: number): Environment {
  const environment = new Environment({ limits: { maxAstNodes, maxDepth: 50 } });
  // A missing value is null, and a declared type would reject null before the condition can test for it.
  for (const { name } of variables) environment.registerVariable(name, 'dyn');
  for (const [sign, work] of Object.entries(arithmetic)) {
    const converted = (one: unknown, other: unknown) => work(Number(one), Number(other));
    environment.registerOperator(`double ${sign} int`, converted);
    environment.registerOperator(`int ${sign} double`, converted);
  }
  return environment;
}

/** Maximum nodes of a condition: a trusted one, and an untrusted one, whose cost a server bears. */
const [maxNodes, maxForeignNodes] = [1000, 200];

/** Where a condition came from. */
export interface ConditionPlace {
  /** The name used in messages. */
  readonly name: string;
  /** True for an untrusted condition, in which slow operations are refused. */
  readonly isForeign: boolean;
}

const commandLine: ConditionPlace = { name: '--when', isForeign: false };

function refusal(name: string, message: string, position: number | undefined): ExtractError {
  const at = position === undefined ? '' : ` at character ${position + 1}`;
  return new ExtractError(
    'invalid_parameter',
    `${name} cannot be read${at}: ${/[.?]$/.test(message) ? message : `${message}.`}`,
  );
}

/** The library's error for an expression that it cannot parse. */
interface Unread {
  readonly summary?: string;
  readonly message: string;
  readonly range?: { readonly start: number } | undefined;
}

const unread = (name: string, { summary, message, range }: Unread) =>
  refusal(name, summary ?? message, range?.start);

/** The parts of an answer that a condition examines. */
export interface Judged {
  readonly json: string | null;
  readonly sources?: string | undefined;
}

/** A condition on the items of an endpoint's answers and their sources: an expression in CEL. */
export class Condition {
  readonly #holds: ParseResult;
  readonly #many: boolean;
  /** True if the condition uses the source of an item. */
  readonly namesSource: boolean;

  /** Throws `invalid_parameter` with the position of a syntax error, and with the nearest name for an unknown field. */
  constructor(endpoint: Endpoint, text: string, { name, isForeign }: ConditionPlace = commandLine) {
    const variables = variablesOf(endpoint);
    this.#many = endpoint.many;
    try {
      this.#holds = environmentOf(variables, isForeign ? maxForeignNodes : maxNodes).parse(text);
    } catch (cause) {
      throw unread(name, cause as Unread);
    }
    try {
      const { named } = checkFields(this.#holds.ast, variables, isForeign);
      this.namesSource = named.has(sourceName);
    } catch (cause) {
      if (cause instanceof FieldFault) throw refusal(name, cause.message, cause.position);
      throw cause;
    }
    const { valid, type, error } = this.#holds.check();
    if (!valid) throw unread(name, error as Unread);
    if (type !== 'bool' && type !== 'dyn') throw refusal(name, `it is a ${type}, neither true nor false`, 0);
  }

  /** Returns for each item of an answer, in order, whether the condition is true; one value for an object. */
  matches(answer: Judged & { readonly json: string }): readonly boolean[] {
    return [...this.judgements(answer)].map((one) => one === true);
  }

  /** Yields the same one by one, with null if it cannot be decided. */
  *judgements({
    json,
    sources,
  }: Judged & { readonly json: string }): Generator<boolean | null, void, undefined> {
    const data = JSON.parse(json) as unknown;
    const sourceList = sources === undefined ? [] : (JSON.parse(sources) as readonly unknown[]);
    const items = (this.#many ? data : [data]) as readonly Readonly<Record<string, unknown>>[];
    for (const [index, item] of items.entries()) {
      yield this.#isTrueOf({ ...item, [sourceName]: sourceList[index] ?? null });
    }
  }

  #isTrueOf(variables: Readonly<Record<string, unknown>>): boolean | null {
    try {
      return this.#holds(variables) === true;
    } catch {
      // A comparison with null is neither true nor false, unless the rest of the condition decides.
      return null;
    }
  }
}
