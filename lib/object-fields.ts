import * as z from 'zod';
import { volatile } from './volatile.js';

/* Fields of objects that several platforms have. */

export const text = (description: string) => z.string().min(1).describe(description);

export const textOrNull = (description: string) => z.string().nullable().describe(description);

export const texts = (description: string) => z.array(z.string()).describe(description);

export const textsOrNull = (description: string) => z.array(z.string()).nullable().describe(description);

export const flagOrNull = (description: string) => z.boolean().nullable().describe(description);

export const count = (description: string) =>
  z.int().min(0).describe(description).register(volatile, { as: 'count' });

export const countOrNull = (description: string) =>
  z.int().min(0).nullable().describe(description).register(volatile, { as: 'count' });

/** A length in pixels, or a number of pages. */
export const sizeOrNull = (description: string) => z.int().min(1).nullable().describe(description);

export const moment = (description: string) => z.iso.datetime().describe(description);

export const momentOrNull = (description: string) => z.iso.datetime().nullable().describe(description);
