import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Context } from '../context.js';
import { writeNote } from '../deliver.js';
import { withServer } from '../jobs/job-api.js';
import { addLocalOption, chosenServer, requireLocal } from '../local-option.js';
import { addOutputOptions, outputOf } from '../output.js';
import { platformList } from '../platforms-option.js';
import { answerWriter } from '../reply.js';
import { UsageError } from '../usage-error.js';
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
});

const newKey = key.extend({ secret: z.string() });

const keyColumns = [
  'name',
  'last_four',
  'platforms',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'created_at',
  'id',
];

function expiry(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a date such as 2027-01-31.');
  return time;
}

/** `extract keys …`: the API keys of a server's accounts. */
export function fillKeys(group: Command, context: Context): void {
  const create = group
    .command('create')
    .description('Create an API key; its secret is shown once')
    .requiredOption('--email <address>', 'the e-mail address of the account')
    .requiredOption('--name <name>', 'name of the key in lists')
    .option('--platforms <names>', 'limit the key to these platforms, separated by commas', platformList)
    .option(
      '--expires <date>',
      'date or time from which the key fails, such as 2027-01-31 or 2027-01-31T12:00:00Z',
      expiry,
    );
  addOutputOptions(addLocalOption(create)).action(async () => {
    await requireLocal(context, create, 'keys are made');
    const { email, name, platforms: chosen, expires } = create.opts();
    const reply = answerWriter(create, context, newKey, false);
    const data = await withAccounts(context, async (accounts) => {
      const { id: account } = await accountOf(accounts, email);
      const made = await accounts.createKey({ account, name, platforms: chosen ?? null, expiresAt: expires });
      return { ...made.key, secret: made.secret };
    });
    await reply({ data });
    await writeNote(context, outputOf(create.opts(), context), 'The secret is not shown again: save it now.');
  });

  const list = group
    .command('list')
    .description('List the keys, oldest first, revoked ones included')
    .option('--email <address>', 'only keys of this account');
  addOutputOptions(addLocalOption(list)).action(async () => {
    const { email } = list.opts();
    const reply = answerWriter(list, context, key, true, keyColumns);
    if ((await chosenServer(context, list)) !== undefined) {
      if (email !== undefined) {
        throw new UsageError(
          'conflicting_parameters',
          'A server shows the keys of your own account: leave --email out, or add --local.',
        );
      }
      await reply(await withServer(context, (client) => client.get('keys', {})));
      return;
    }
    const data = await withAccounts(context, async (accounts) =>
      accounts.keys(email === undefined ? undefined : (await accountOf(accounts, email)).id),
    );
    await reply({ data });
  });

  const revoke = group
    .command('revoke')
    .description('Revoke a key; it stops working at once')
    .argument('<id>', 'key_…, as `extract keys list` shows it');
  addOutputOptions(addLocalOption(revoke)).action(async (id: string) => {
    const reply = answerWriter(revoke, context, key, false);
    await requireLocal(context, revoke, 'keys are revoked');
    const data = await withAccounts(context, (accounts) => accounts.revokeKey(id));
    if (data === null) {
      throw new ExtractError('invalid_parameter', `There is no key ${JSON.stringify(id)}.`);
    }
    await reply({ data });
  });
}
