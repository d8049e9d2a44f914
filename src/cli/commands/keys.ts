import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { type Accounts, type ApiKey, maxMonthlyCredits } from '../../accounts/accounts.js';
import type { OpenStore } from '../../open-store.js';
import { keySpend } from '../../usage/key-spend.js';
import type { Context } from '../context.js';
import { writeNote } from '../deliver.js';
import { addOutputOptions, outputOf } from '../output.js';
import { platformList } from '../platforms-option.js';
import { answerWriter } from '../reply.js';
import { accountOf, withAccounts } from '../with-accounts.js';

const key = z.strictObject({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  platforms: z.array(z.string()).nullable(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  last_four: z.string().nullable(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  monthly_credits: z.number().nullable(),
  monthly_credits_used: z.number(),
  monthly_credits_reset_at: z.string(),
});

/** A key with what it has spent this month. */
async function withSpend(apiKey: ApiKey, { usage }: Pick<OpenStore, 'usage'>) {
  const { id, monthly_credits: monthlyCredits } = apiKey;
  return { ...apiKey, ...(await keySpend(usage, { id, monthlyCredits }, systemClock.now())) };
}

function monthlyCredits(text: string): number | null {
  if (text === 'none') return null;
  const credits = Number(text);
  if (/^\d{1,10}$/.test(text) && credits <= maxMonthlyCredits) return credits;
  throw new InvalidArgumentError(`Give a whole number from 0 to ${maxMonthlyCredits}, or none.`);
}

const newKey = key.extend({ secret: z.string() });

function expiry(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a date such as 2027-01-31.');
  return time;
}

/** A key as a change left it. Throws `invalid_parameter` when there is no such key. */
async function changedKey(
  context: Context,
  id: string,
  change: (accounts: Accounts) => Promise<ApiKey | null>,
) {
  const changed = await withAccounts(context, async (accounts, opened) => {
    const apiKey = await change(accounts);
    return apiKey === null ? null : withSpend(apiKey, opened);
  });
  if (changed !== null) return changed;
  throw new ExtractError('invalid_parameter', `There is no key ${JSON.stringify(id)}.`);
}

/** `extract keys …`: the API keys of a server's accounts. */
export function fillKeys(group: Command, context: Context): void {
  const create = group
    .command('create')
    .description('Make an API key; its secret is shown once')
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--name <name>', 'what the key is called in lists')
    .option('--platforms <names>', 'only these platforms, separated by commas', platformList)
    .option(
      '--expires <date>',
      'fails from then on: 2027-01-31, or a time such as 2027-01-31T12:00:00Z',
      expiry,
    )
    .option(
      '--monthly-credits <credits>',
      'credits that it may spend in a calendar month (UTC)',
      monthlyCredits,
    );
  addOutputOptions(create).action(async () => {
    const { email, name, platforms: chosen, expires, monthlyCredits: limit } = create.opts();
    const reply = answerWriter(create, context, newKey, false);
    const data = await withAccounts(context, async (accounts, opened) => {
      const { id: account } = await accountOf(accounts, email);
      const made = await accounts.createKey({
        ...{ account, name, platforms: chosen ?? null, expiresAt: expires, monthlyCredits: limit },
      });
      return { ...(await withSpend(made.key, opened)), secret: made.secret };
    });
    await reply({ data });
    await writeNote(context, outputOf(create.opts(), context), 'The secret is not shown again: keep it now.');
  });

  const list = group
    .command('list')
    .description('List the keys, oldest first, revoked ones included')
    .option('--email <address>', 'of one account');
  addOutputOptions(list).action(async () => {
    const { email } = list.opts();
    const reply = answerWriter(list, context, key, true);
    const data = await withAccounts(context, async (accounts, opened) => {
      const keys = await accounts.keys(
        email === undefined ? undefined : (await accountOf(accounts, email)).id,
      );
      return Promise.all(keys.map((one) => withSpend(one, opened)));
    });
    await reply({ data });
  });

  const revoke = group
    .command('revoke')
    .description('Revoke a key: it fails from now on')
    .argument('<id>', 'key_…, as `extract keys list` shows it');
  addOutputOptions(revoke).action(async (id: string) => {
    const reply = answerWriter(revoke, context, key, false);
    await reply({ data: await changedKey(context, id, (accounts) => accounts.revokeKey(id)) });
  });

  const limit = group
    .command('limit')
    .description('Set what a key may spend in a calendar month (UTC)')
    .argument('<id>', 'key_…, as `extract keys list` shows it')
    .argument('<credits>', 'a number of credits, or none for no limit', monthlyCredits);
  addOutputOptions(limit).action(async (id: string, credits: number | null) => {
    const reply = answerWriter(limit, context, key, false);
    await reply({ data: await changedKey(context, id, (accounts) => accounts.limitKey(id, credits)) });
  });
}
