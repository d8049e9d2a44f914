import * as z from 'zod';
import type { Coverage } from './call/coverage.js';
import { catalogue } from './errors/catalogue.js';
import { object } from './object.js';

const outcomes = ['answered', ...Object.keys(catalogue)] as [
  Coverage['routes'][number]['outcome'],
  ...Coverage['routes'][number]['outcome'][],
];

/** `coverage` of an answer, for OpenAPI, tools and files. */
export const coverage = object(() => ({
  given: z
    .int()
    .min(0)
    .describe('Items so far, over all pages of this list up to this one; 1 for an object.'),
  total: z.int().min(0).nullable().describe('Items of the complete list, by the platform’s own count.'),
  ended: z
    .enum(['more', 'end', 'visitors', 'repeated', 'refused', 'unknown'])
    .describe(
      'more: there is a next page. end: the platform says that the list ends here. visitors: it shows visitors no more. repeated: it returned the same page again. refused: it refused the rest. unknown: it does not say.',
    ),
  ignored: z.array(z.string()).describe('Parameters without effect.'),
  rounded: z
    .array(z.string())
    .describe('Fields whose numbers are rounded here, although the endpoint can return exact ones.'),
  routes: z
    .array(
      object(() => ({
        route: z.string().min(1).describe('The route that was tried.'),
        outcome: z.enum(outcomes).describe('answered, or the code of its error.'),
      })),
    )
    .describe('The routes that were tried, in order.'),
})).meta({ id: 'coverage' }) satisfies z.ZodType<Coverage>;
