import * as z from 'zod';
import { platforms } from '../../lib/platforms.js';

/** What a key may spend in a month, and has spent. */
const keySpendFields = {
  monthly_credits: z
    .int()
    .min(0)
    .nullable()
    .describe('Credits that it may be charged in a calendar month (UTC); null for no limit.'),
  monthly_credits_used: z
    .int()
    .min(0)
    .describe('What it was charged this month, without what was given back.'),
  monthly_credits_reset_at: z.iso.datetime().describe('When the next month begins.'),
};

/** What an account sees of itself. */
export const accountObject = z
  .strictObject({
    id: z.string().describe('Id of the account, `acct_…`.'),
    email: z.string().describe('E-mail address, in lower case.'),
    is_verified: z.boolean().describe('The address is confirmed.'),
    created_at: z.iso.datetime().describe('When the account was made.'),
    credits_remaining: z.int().min(0).describe('Balance.'),
    credits_kind: z
      .enum(['trial', 'bought'])
      .describe('`bought` once a pack was bought, which is what `fresh=true` needs; `trial` before that.'),
    api_key: z
      .strictObject({
        id: z.string().describe('Id of the key, `key_…`.'),
        name: z.string().describe('Its name.'),
        platforms: z
          .array(z.enum(platforms))
          .nullable()
          .describe('Platforms it may call; null for all of them.'),
        expires_at: z.iso.datetime().nullable().describe('From when on it fails; null for never.'),
        ...keySpendFields,
      })
      .describe('The key that asks.'),
  })
  .meta({ id: 'account' });

/** A key as its account sees it: never its secret. */
export const keyObject = z
  .strictObject({
    id: z.string().describe('Id of the key, `key_…`.'),
    account: z.string().describe('Id of its account.'),
    name: z.string().describe('Its name.'),
    platforms: z.array(z.enum(platforms)).nullable().describe('Platforms it may call; null for all of them.'),
    created_at: z.iso.datetime().describe('When the key was made.'),
    revoked_at: z.iso.datetime().nullable().describe('When it was revoked; null for a key that works.'),
    last_four: z
      .string()
      .nullable()
      .describe('The last characters of its secret; null for a key made before they were kept.'),
    expires_at: z.iso.datetime().nullable().describe('From when on it fails; null for never.'),
    last_used_at: z.iso.datetime().nullable().describe('When it was last used, to the minute.'),
    ...keySpendFields,
  })
  .meta({ id: 'api_key' });

/** One call as the ledger keeps it. */
export const usageRowObject = z
  .strictObject({
    id: z.string().describe('Request id, or the id of the job and the index of its input.'),
    created_at: z.iso.datetime().describe('When the call was made.'),
    endpoint: z.string().describe('Endpoint, such as `maps/place`.'),
    status: z.enum(['ok', 'failed']).describe('How the call ended.'),
    error_code: z
      .string()
      .nullable()
      .describe('Code of the error; null for a call that succeeded or was given up.'),
    credits_charged: z.int().min(0).describe('What the call cost; 0 for one that failed.'),
    credits_refunded: z.int().min(0).describe('What was given back.'),
    cached: z.boolean().describe('Answered from the cache.'),
    api_key: z
      .strictObject({ id: z.string().describe('Id of the key.'), name: z.string().describe('Its name.') })
      .nullable()
      .describe('The key that called.'),
    job_id: z.string().nullable().describe('The batch job that the call was made for.'),
    duration_ms: z
      .int()
      .min(0)
      .nullable()
      .describe('Milliseconds that the call took; null where that is not known.'),
  })
  .meta({ id: 'usage_row' });
