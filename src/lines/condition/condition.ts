import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { itemSource } from '../../../lib/item-source-schema.js';
import { type Field, fieldsOf } from '../../files/result-files/fields.js';
import { checkFields, FieldFault } from './check-fields.js';

const sourceName = 'source';

/** CEL has no arithmetic between a double, as every number of an item is, and an integer literal. */
const arithmetic: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
};

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

/** An untrusted condition may have fewer nodes, because a server pays for its evaluation. */
const [maxNodes, maxForeignNodes] = [1000, 200];

export interface ConditionOrigin {
  readonly name: string;
  /** True for an untrusted condition, in which slow operations are refused. */
  readonly isForeign: boolean;
}

const commandLine: ConditionOrigin = { name: '--when', isForeign: false };

function refusal(name: string, message: string, position: number | undefined): ExtractError {
  const at = position === undefined ? '' : ` at character ${position + 1}`;
  return invalidParameter(`${name} cannot be read${at}: ${/[.?]$/.test(message) ? message : `${message}.`}`);
}

/** The parser's error. */
interface Unread {
  readonly summary?: string;
  readonly message: string;
  readonly range?: { readonly start: number } | undefined;
}

const unread = (name: string, { summary, message, range }: Unread) =>
  refusal(name, summary ?? message, range?.start);

export interface Judged {
  readonly json: string | null;
  readonly sources?: string | undefined;
}

/** A CEL expression over the items of an endpoint's answers and their sources. */
export class Condition {
  readonly #holds: ParseResult;
  readonly #many: boolean;
  readonly namesSource: boolean;

  /** Throws `invalid_parameter` with the position of a syntax error, and with the nearest name for an unknown field. */
  constructor(endpoint: Endpoint, text: string, { name, isForeign }: ConditionOrigin = commandLine) {
    const variables = variablesOf(endpoint);
    this.#many = endpoint.many;
    try {
      this.#holds = environmentOf(variables, isForeign ? maxForeignNodes : maxNodes).parse(text);
    } catch (cause) {
      throw unread(name, cause as Unread);
    }
    try {
      const { names } = checkFields(this.#holds.ast, variables, isForeign);
      this.namesSource = names.has(sourceName);
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

  /** Yields one verdict at a time; null if the condition cannot be decided. */
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
