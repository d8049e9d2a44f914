import * as z from 'zod';
import { platforms } from '../../../lib/platforms.js';
import { type KeySpend, keySpendObject } from '../usage/key-spend.js';

/** A key as its account sees it, never with its secret. */
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

/** A key with its spending this month. */
export type ListedKey = Readonly<z.output<typeof keyObject>>;

/** A key as stored. */
export type ApiKey = Omit<ListedKey, Exclude<keyof KeySpend, 'monthly_credits'>>;

const { id, name, platforms: ofPlatforms, expires_at } = keyObject.shape;

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
