import * as z from 'zod';
import { momentForm } from './describe.js';

/** The vocabulary in which endpoints declare parameters. One schema provides checks, types, help and JSON Schema. */

// Every step of a chain such as `z.string().min(1).describe(…)` copies the schema, at every start. So checks are passed
// together, and the description is registered in place.

function describe<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** Line breaks and tabs, copied from cells and pages, become spaces. */
const oneLine = z.overwrite<string>((text) => text.replace(/[\t-\r]+/g, ' '));

/** A required text of 1 to 2,048 characters. */
export const text = (description: string) =>
  describe(z.string().check(z.trim(), oneLine, z.minLength(1), z.maxLength(2048)), description);

/** The address of a page on the platform. The endpoint's `identify` decides which pages it accepts. */
export const pageUrl = (description: string) =>
  describe(z.string().check(z.trim(), z.minLength(1), z.maxLength(8192)), description);

const day = z.iso.date();
const isMoment = (text: string) =>
  day.safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text));

/** An existing day, or a time with its UTC offset. */
export const moment = (description: string) =>
  describe(z.string().check(z.regex(momentForm), z.refine(isMoment)), description);

export const integer = (min: number, max: number, description: string) =>
  describe(z.int().check(z.gte(min), z.lte(max)), description);

export const number = (min: number, max: number, description: string) =>
  describe(z.number().check(z.gte(min), z.lte(max)), description);

export const choice = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
) => describe(z.enum(words), description);

/** A two-letter code, accepted in either case and returned in lower case. */
export const twoLetters = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a two-letter code')
    .toLowerCase()
    .describe(description);

export const flag = (description: string) => describe(z.boolean(), description);
