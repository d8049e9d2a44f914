import * as z from 'zod';
import { platforms } from '../../../lib/platforms.js';

/** The monthly limit of a key, and its spending. */
const keySpendObject = z.strictObject({
  monthly_credits: z
    .int()
    .min(0)
    .nullable()
    .describe('Credits it may spend in a calendar month (UTC); null for no limit.'),
  monthly_credits_used: z.int().min(0).describe('Credits it has spent this month, refunds deducted.'),
  monthly_credits_reset_at: z.iso.datetime().describe('When the next month begins.'),
});

/** A key as its account sees it: never its secret. */
export const keyObject = z
  .strictObject({
    id: z.string().describe('ID of the key, `key_…`.'),
    account: z.string().describe('ID of its account.'),
    name: z.string().describe('Name.'),
    platforms: z.array(z.enum(platforms)).nullable().describe('Platforms it may call; null for all of them.'),
    created_at: z.iso.datetime().describe('When the key was created.'),
    revoked_at: z.iso.datetime().nullable().describe('When it was revoked; null if it has not been.'),
    last_four: z
      .string()
      .nullable()
      .describe('The last four characters of its secret; null for keys created before these were stored.'),
    expires_at: z.iso.datetime().nullable().describe('When it expires; null for never.'),
    last_used_at: z.iso.datetime().nullable().describe('When it was last used, to the minute.'),
    ...keySpendObject.shape,
  })
  .meta({ id: 'api_key' });

/** A key with what it has spent this month. */
export type ListedKey = Readonly<z.output<typeof keyObject>>;

/** The spending of a key in a month, and its limit. */
export type KeySpend = Readonly<z.output<typeof keySpendObject>>;

/** A key as stores know it. */
export type ApiKey = Omit<ListedKey, Exclude<keyof KeySpend, 'monthly_credits'>>;

/** A key as calls are charged to it. */
export function chargedKey({
  id,
  name,
  monthly_credits: monthlyCredits,
}: Pick<ApiKey, 'id' | 'name' | 'monthly_credits'>) {
  return { id, name, monthlyCredits };
}

const { id, name, platforms: ofPlatforms, expires_at } = keyObject.shape;

/** The account, as it sees itself. */
export const accountObject = z
  .strictObject({
    id: z.string().describe('ID of the account, `acct_…`.'),
    email: z.string().describe('E-mail address, in lower case.'),
    is_verified: z.boolean().describe('The address is confirmed.'),
    created_at: z.iso.datetime().describe('When the account was created.'),
    credits_remaining: z.int().min(0).describe('Balance.'),
    credits_kind: z
      .enum(['trial', 'bought'])
      .describe('`bought` once a pack has been bought, which `fresh=true` requires; `trial` before that.'),
    api_key: z
      .strictObject({ id, name, platforms: ofPlatforms, expires_at, ...keySpendObject.shape })
      .describe('The key of this request.'),
  })
  .meta({ id: 'account' });
