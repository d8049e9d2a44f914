import { ExtractError } from '../../../lib/errors/extract-error.js';
import { lineOptionFields } from './job-objects.js';

export const maxInputs = 10_000;
/** Maximum characters of a job's name. */
export const maxJobNameLength = 100;
/** Maximum bytes of an input, as JSON. */
export const maxInputBytes = 64 * 1024;
/** Maximum keys of an input, including nested ones. An endpoint has a handful of parameters. */
const maxInputKeys = 50;
/** Maximum depth of an input. Parameters are flat, but the line of an invalid input repeats it. */
export const maxInputDepth = 16;

const fields = [
  'endpoint',
  'inputs',
  'name',
  'webhook_url',
  'schedule',
  'timezone',
  'notify',
  ...(Object.keys(lineOptionFields) as (keyof typeof lineOptionFields)[]),
] as const;

export type JobField = (typeof fields)[number];

export const isJobField = (name: string): name is JobField => fields.some((field) => field === name);

export function unknownField(name: string): ExtractError {
  if (name === 'archive') {
    return new ExtractError(
      'invalid_body',
      'Jobs no longer store an archive. Omit `archive`; `extract batch --archive` stores evidence on your machine.',
    );
  }
  const field = JSON.stringify(name.slice(0, 80));
  return new ExtractError('unknown_parameter', `A job has no field ${field}. Fields: ${fields.join(', ')}.`);
}

const limits = {
  bytes: 'larger than 64 KiB',
  keys: `of more than ${maxInputKeys} keys`,
  depth: `nested deeper than ${maxInputDepth} levels`,
} as const;

export function tooLargeInput(index: number, limit: keyof typeof limits): ExtractError {
  return new ExtractError('invalid_body', `The field inputs[${index}] is ${limits[limit]}.`);
}

export function tooManyInputs(): ExtractError {
  return new ExtractError('too_many_inputs', 'A job takes at most 10,000 inputs; this one has more.');
}

/** True for keys that would change the prototype of an object in code that copies them. */
function isPoison(name: string, value: unknown): boolean {
  if (name === '__proto__') return true;
  return (
    name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
  );
}

/**
 * Returns the stored text of an input. Throws `invalid_parameter` if it is not an object and `invalid_body` if it
 * exceeds a limit, each naming the input.
 */
export function inputText(input: unknown, index: number): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ExtractError(
      'invalid_parameter',
      `The field inputs[${index}] must be an object of parameters.`,
    );
  }
  let keys = 0;
  const check = (value: object, level: number): void => {
    if (level > maxInputDepth) throw tooLargeInput(index, 'depth');
    const isList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!isList) {
        keys += 1;
        if (keys > maxInputKeys) throw tooLargeInput(index, 'keys');
        if (isPoison(name, inner)) {
          throw new ExtractError(
            'invalid_body',
            `The field inputs[${index}] has the key ${name}, which is not allowed. Remove it.`,
          );
        }
      }
      if (typeof inner === 'object' && inner !== null) check(inner, level + 1);
    }
  };
  check(input, 1);
  const text = JSON.stringify(input);
  if (text.length > maxInputBytes || Buffer.byteLength(text) > maxInputBytes) {
    throw tooLargeInput(index, 'bytes');
  }
  return text;
}

/** Validated inputs, as stored. */
export class InputTexts {
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }
}
