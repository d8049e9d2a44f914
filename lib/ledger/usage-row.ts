import * as z from 'zod';
import { object } from '../object.js';

/** A row of the usage ledger, as the contract shows it. */
export const usageRow = object(() => ({
  id: z.string().describe('Request ID, or the ID of the job and the index of the input.'),
  created_at: z.iso.datetime().describe('When the call was made.'),
  endpoint: z.string().describe('Endpoint, such as `maps/place`.'),
  status: z.enum(['ok', 'failed']).describe('How the call ended.'),
  error_code: z
    .string()
    .nullable()
    .describe('Code of the error; null for a call that succeeded or was aborted.'),
  credits_charged: z.int().min(0).describe('The cost of the call; 0 for one that failed.'),
  credits_refunded: z.int().min(0).describe('Credits refunded.'),
  cached: z.boolean().describe('Answered from the cache.'),
  api_key: z
    .strictObject({ id: z.string().describe('ID of the key.'), name: z.string().describe('Name.') })
    .nullable()
    .describe('The key that made the call.'),
  job_id: z.string().nullable().describe('The job that made the call; null if none did.'),
  duration_ms: z.int().min(0).nullable().describe('Duration in milliseconds; null if unknown.'),
})).meta({ id: 'usage_row' });

export type UsageRow = Readonly<z.output<typeof usageRow>>;

/** The measurements of a call, as in its row. */
export type Measures = Pick<UsageRow, 'duration_ms'>;
