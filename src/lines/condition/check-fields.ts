import type { ASTNode } from '@marcbachmann/cel-js';
import { nearestWords, suggestion } from '../../../lib/runtime/nearest-words.js';
import type { Field, FieldShape } from '../../files/result-files/fields.js';

/** An unknown field, or a value that its field cannot have. `position` is in the text. */
export class FieldFault extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** The names in scope; undefined for a name without a schema. */
type Scope = ReadonlyMap<string, FieldShape | undefined>;

interface Checked {
  readonly names: Set<string>;
}

/** Macros that bind each item of a list to a name. */
const overItems: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
/** Arithmetic operators, whose results are never true or false. */
const calculations: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '-_']);
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function nodesOf(value: unknown): readonly ASTNode[] {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(nodesOf) : [];
}

/** Returns the kind of literal that a field compares with; undefined if any does. */
function literalOf(shape: FieldShape | undefined): string | undefined {
  if (shape?.kind !== 'value') return undefined;
  if (shape.type === 'text' || shape.type === 'time') return 'string';
  if (shape.type === 'integer' || shape.type === 'number') return 'number';
  return shape.type === 'boolean' ? 'boolean' : undefined;
}

const kindOfLiteral = (value: unknown) => (typeof value === 'bigint' ? 'number' : typeof value);

function unknownField(name: string, names: readonly string[], position: number): FieldFault {
  const rest = suggestion(nearestWords(name, names)) || `Fields: ${names.join(', ')}.`;
  return new FieldFault(`there is no field “${name}”. ${rest}`, position);
}

function fieldOf(shape: FieldShape | undefined, name: string, node: ASTNode): FieldShape | undefined {
  if (shape === undefined) return undefined;
  if (shape.kind !== 'object')
    throw new FieldFault(`there is no field “${name}” in a single value or a list`, node.pos);
  const field = shape.fields.find((one) => one.name === name);
  if (field === undefined)
    throw unknownField(
      name,
      shape.fields.map((one) => one.name),
      node.pos,
    );
  return field.shape;
}

/** The functions allowed in an untrusted condition. A regular expression, or nested lists, may take minutes. */
const foreignFunctions: ReadonlySet<string> = new Set([
  ...['has', 'size', 'string', 'int', 'double', 'bool', 'timestamp', 'duration'],
  ...['contains', 'startsWith', 'endsWith', 'lowerAscii', 'upperAscii', 'trim'],
  ...['getFullYear', 'getMonth', 'getDate', 'getDayOfWeek', 'getHours'],
  ...['all', 'exists', 'exists_one'],
]);

class FieldCheck implements Checked {
  readonly names = new Set<string>();
  readonly #variables: Scope;
  readonly #isForeign: boolean;
  #isWithinList = false;

  constructor(variables: Scope, isForeign: boolean) {
    this.#variables = variables;
    this.#isForeign = isForeign;
  }

  /** Checks a node. Returns its shape if a field determines it. */
  check(node: ASTNode, scope: Scope): FieldShape | undefined {
    const { op, args } = node as { readonly op: string; readonly args: unknown };
    if (op === 'id') return this.#name(args as string, node, scope);
    if (op === '.') {
      const [object, name] = args as [ASTNode, string];
      return fieldOf(this.check(object, scope), name, node);
    }
    if (op === '[]') return this.#member(args as [ASTNode, ASTNode], node, scope);
    if (op === 'rcall') return this.#method(args as [string, ASTNode, ASTNode[]], node, scope);
    if (op === 'call') this.#allowed((args as [string, unknown])[0], node);
    const shapes = nodesOf(args).map((part) => this.check(part, scope));
    if (comparisons.has(op)) this.#compared(args as [ASTNode, ASTNode], shapes);
    return calculations.has(op) ? { kind: 'value', type: 'json' } : undefined;
  }

  #name(name: string, node: ASTNode, scope: Scope): FieldShape | undefined {
    if (!scope.has(name)) {
      throw unknownField(name, [...scope.keys()], node.pos);
    }
    const shape = scope.get(name);
    // A macro may have bound an item to the name of a variable.
    if (shape === this.#variables.get(name)) this.names.add(name);
    return shape;
  }

  #member([object, key]: [ASTNode, ASTNode], node: ASTNode, scope: Scope): FieldShape | undefined {
    const shape = this.check(object, scope);
    this.check(key, scope);
    if (shape?.kind === 'list') return shape.of;
    const name = (key as { readonly op: string; readonly args: unknown }).args;
    return typeof name === 'string' && (key.op as string) === 'value'
      ? fieldOf(shape, name, node)
      : undefined;
  }

  #allowed(name: string, { pos }: ASTNode): void {
    if (!this.#isForeign || foreignFunctions.has(name)) return;
    throw new FieldFault(
      `a server does not accept ${name}(). It accepts ${[...foreignFunctions].join(', ')}`,
      pos,
    );
  }

  #ofItems(bodies: readonly ASTNode[], scope: Scope, shape: FieldShape | undefined, { pos }: ASTNode): void {
    if (this.#isForeign && (this.#isWithinList || shape?.kind !== 'list')) {
      throw new FieldFault('a server looks through a list that is a field, and through one at a time', pos);
    }
    this.#isWithinList = true;
    for (const body of bodies) this.check(body, scope);
    this.#isWithinList = false;
  }

  #method(
    [method, object, args]: [string, ASTNode, ASTNode[]],
    node: ASTNode,
    scope: Scope,
  ): FieldShape | undefined {
    this.#allowed(method, node);
    const shape = this.check(object, scope);
    const [variable, ...bodies] = args;
    if (overItems.has(method) && variable !== undefined && (variable.op as string) === 'id') {
      const inner = new Map(scope).set(
        variable.args as string,
        shape?.kind === 'list' ? shape.of : undefined,
      );
      this.#ofItems(bodies, inner, shape, node);
      return undefined;
    }
    for (const arg of args) this.check(arg, scope);
    if (method === 'matches' && (variable?.op as string) === 'value') this.#pattern(variable as ASTNode);
    return undefined;
  }

  #pattern(node: ASTNode): void {
    try {
      new RegExp(String(node.args), 'u');
    } catch {
      throw new FieldFault(`“${String(node.args)}” is not a regular expression`, node.pos);
    }
  }

  #compared(parts: readonly [ASTNode, ASTNode], shapes: readonly (FieldShape | undefined)[]): void {
    for (const [at, part] of parts.entries()) {
      const { op, args } = part as { readonly op: string; readonly args: unknown };
      const expected = literalOf(shapes[1 - at]);
      if (op !== 'value' || args === null || expected === undefined || kindOfLiteral(args) === expected)
        continue;
      const literal = `${kindOfLiteral(args)} ${JSON.stringify(String(args))}`;
      throw new FieldFault(`a ${expected} is compared with the ${literal}`, part.pos);
    }
  }
}

/**
 * Checks an expression's field names and what they are compared with, and for an untrusted one the functions used.
 * Throws a `FieldFault`.
 */
export function checkFields(node: ASTNode, variables: readonly Field[], isForeign: boolean): Checked {
  const scope: Scope = new Map(variables.map(({ name, shape }) => [name, shape]));
  const check = new FieldCheck(scope, isForeign);
  const shape = check.check(node, scope);
  if (shape !== undefined && (shape.kind !== 'value' || shape.type !== 'boolean')) {
    throw new FieldFault('a value alone is neither true nor false: compare it with something', node.pos);
  }
  return check;
}
