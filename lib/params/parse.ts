import * as z from 'zod';
import type { Endpoint } from '../endpoint.js';
import { ExtractError, invalidParameter } from '../errors/extract-error.js';
import { bare, describe } from './describe.js';

/** Converts text from a query string, a cell or a command line to the value of its parameter's type. */
export function fromText(schema: z.ZodType, text: string): unknown {
  const kind = bare(schema);
  if (kind instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

export function paramOfText({ params }: Pick<Endpoint, 'params'>, name: string, text: string): unknown {
  const schema = params[name] as z.ZodType;
  const value = fromText(schema, text);
  if (schema.safeParse(value).success) return value;
  throw invalidValue(name, schema);
}

const invalidValue = (name: string, schema: z.ZodType) =>
  invalidParameter(`The parameter ${name} must be ${describe(schema).expects}.`);

/** The parameter rules of an endpoint, or of a similar route. */
export type Parametrised = Pick<Endpoint, 'params' | 'exactlyOne' | 'renamed'> & { readonly path: string };

function checkNames(endpoint: Parametrised, raw: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(raw)) {
    if (Object.hasOwn(endpoint.params, name)) continue;
    const renamed = Object.hasOwn(endpoint.renamed, name) ? endpoint.renamed[name] : undefined;
    if (renamed !== undefined) {
      throw new ExtractError('renamed_parameter', `The parameter ${name} is now called ${renamed}.`);
    }
    throw new ExtractError(
      'unknown_parameter',
      `${endpoint.path} has no parameter ${JSON.stringify(name.slice(0, 80))}. It takes: ${Object.keys(endpoint.params).join(', ') || 'none'}.`,
    );
  }
}

function checkPair(endpoint: Parametrised, raw: Readonly<Record<string, unknown>>): void {
  if (endpoint.exactlyOne === null) return;
  const [first, second] = endpoint.exactlyOne;
  const names = [first, second].filter((name) => raw[name] !== undefined);
  if (names.length === 2) {
    throw new ExtractError('conflicting_parameters', `Give either ${first} or ${second}, not both.`);
  }
  if (names.length === 0) {
    throw new ExtractError('missing_parameter', `Give ${first} or ${second}.`, { next: '' });
  }
}

/** Control characters and unpaired surrogates. No platform has them in a name, and we send them to none. */
const unfit = /[\p{Cc}\p{Cs}]/u;

function checkCharacters(name: string, text: string): void {
  if (!unfit.test(text)) return;
  throw invalidParameter(`The parameter ${name} contains a control character or half a character.`);
}

/**
 * Parses and checks the parameters of a call: known names, the identifying parameter present, values in range, defaults
 * filled in. With `texts`, values arrive as text (query string, command line). Throws the `*_parameter` errors, each
 * naming the parameter and its permitted values.
 */
export function parseParams(
  endpoint: Parametrised,
  raw: Readonly<Record<string, unknown>>,
  texts = false,
): Readonly<Record<string, unknown>> {
  checkNames(endpoint, raw);
  checkPair(endpoint, raw);
  const params: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(endpoint.params)) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const parsed = schema.safeParse(texts && typeof value === 'string' ? fromText(schema, value) : value);
    if (parsed.success) {
      if (typeof parsed.data === 'string') checkCharacters(name, parsed.data);
      if (parsed.data !== undefined) params[name] = parsed.data;
    } else if (value === undefined) {
      throw new ExtractError(
        'missing_parameter',
        `The parameter ${name} is required: ${describe(schema).text}.`,
      );
    } else {
      throw invalidValue(name, schema);
    }
  }
  return params;
}
