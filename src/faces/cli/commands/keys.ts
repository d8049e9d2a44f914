import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type ApiKey, keyObject } from '../../../service/accounts/account-objects.js';
import type { AccountStore } from '../../../service/accounts/account-store.js';
import { maxMonthlyCredits } from '../../../service/accounts/accounts.js';
import { withSpend } from '../../../service/usage/key-spend.js';
import type { Context } from '../context.js';
import { withServer } from '../jobs/job-api.js';
import { addLocalOption, chosenServer, requireLocal } from '../local-option.js';
import { platformList } from '../platforms-option.js';
import { answerList, answerObject } from '../reply.js';
import { UsageError } from '../usage-error.js';
import { utcMoment } from '../utc-time.js';
import { accountOf, changeAccounts, withAccounts } from '../with-accounts.js';

function monthlyCredits(text: string): number | null {
  if (text === 'none') return null;
  const credits = Number(text);
  if (/^\d{1,10}$/.test(text) && credits <= maxMonthlyCredits) return credits;
  throw new InvalidArgumentError(`Give a whole number from 0 to ${maxMonthlyCredits}, or none.`);
}

const newKey = keyObject.extend({ secret: z.string() });

const keyColumns = [
  'name',
  'last_four',
  'platforms',
  'last_used_at',
  'monthly_credits_used',
  'monthly_credits',
  'expires_at',
  'revoked_at',
  'created_at',
  'id',
];

function expiry(text: string): number {
  const time = utcMoment(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a date such as 2027-01-31.');
  return time;
}

async function changedKey(
  context: Context,
  id: string,
  change: (accounts: AccountStore) => Promise<ApiKey | null>,
) {
  const changed = await changeAccounts(context, async (accounts, opened) => {
    const apiKey = await change(accounts);
    return apiKey === null ? null : withSpend(apiKey, opened.usage, systemClock.now());
  });
  if (changed !== null) return changed;
  throw new ExtractError('invalid_parameter', `Unknown key ${JSON.stringify(id)}.`);
}

/** `extract server keys …`: manages the API keys of accounts. */
export function defineCommand(group: Command, context: Context): void {
  const create = group
    .command('create')
    .description('Create an API key; its secret is shown once')
    .requiredOption('--email <address>', 'the e-mail address of the account')
    .requiredOption('--name <name>', 'name of the key in lists')
    .option('--platforms <names>', 'limit the key to these platforms, separated by commas', platformList)
    .option('--expires <date>', 'when the key expires, such as 2027-01-31 or 2027-01-31T12:00:00Z', expiry)
    .option('--monthly-credits <credits>', 'credits it may spend in a calendar month (UTC)', monthlyCredits);
  answerObject(addLocalOption(create), context, newKey, async () => {
    await requireLocal(context, create, 'keys are created');
    const { email, name, platforms: platformNames, expires, monthlyCredits: limit } = create.opts();
    const data = await changeAccounts(context, async (accounts, opened) => {
      const { id: account } = await accountOf(accounts, email);
      const created = await accounts.createKey({
        ...{ account, name, platforms: platformNames ?? null, expiresAt: expires, monthlyCredits: limit },
      });
      return { ...(await withSpend(created.key, opened.usage, systemClock.now())), secret: created.secret };
    });
    return { data, note: 'The secret is not shown again: save it now.' };
  });

  const list = group
    .command('list')
    .description('List the keys, oldest first, including revoked ones')
    .option('--email <address>', 'only keys of this account');
  const listed = async () => {
    const { email } = list.opts();
    if ((await chosenServer(context, list)) !== undefined) {
      if (email !== undefined) {
        throw new UsageError(
          'conflicting_parameters',
          'A server only shows the keys of your own account: omit --email, or add --local.',
        );
      }
      return withServer(context, (client) => client.get('keys', {}));
    }
    const data = await withAccounts(context, async (accounts, opened) => {
      const keys = await accounts.listKeys(
        email === undefined ? undefined : (await accountOf(accounts, email)).id,
      );
      return Promise.all(keys.map((one) => withSpend(one, opened.usage, systemClock.now())));
    });
    return { data, empty: 'No keys yet. Create one with “extract server keys create”.' };
  };
  answerList(addLocalOption(list), context, keyObject, listed, keyColumns);

  const revoke = group
    .command('revoke')
    .description('Revoke a key; it stops working immediately')
    .argument('<id>', 'key_…, as `extract server keys list` shows it');
  answerObject(addLocalOption(revoke), context, keyObject, async (id: string) => {
    await requireLocal(context, revoke, 'keys are revoked');
    return { data: await changedKey(context, id, (accounts) => accounts.revokeKey(id)) };
  });

  const limit = group
    .command('limit')
    .description('Set the monthly credit limit of a key (calendar month, UTC)')
    .argument('<id>', 'key_…, as `extract server keys list` shows it')
    .argument('<credits>', 'a number of credits, or none for no limit', monthlyCredits);
  answerObject(addLocalOption(limit), context, keyObject, async (id: string, credits: number | null) => {
    await requireLocal(context, limit, 'limits of keys are set');
    return { data: await changedKey(context, id, (accounts) => accounts.limitKey(id, credits)) };
  });
}
