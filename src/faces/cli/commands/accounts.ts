import type { Command } from 'commander';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { readHostingConfig } from '../../../config/hosting-config.js';
import { emailAddress, isDisposable } from '../../../service/accounts/email-address.js';
import type { Context } from '../context.js';
import { withServer } from '../jobs/job-api.js';
import { addLocalOption, chosenServer, requireLocal } from '../local-option.js';
import { creditsAmount } from '../number-arguments.js';
import { addOutputOptions } from '../output.js';
import { answerList, answerObject, answerWriter } from '../reply.js';
import { writeNote } from '../tell-change.js';
import { accountOf, changeAccounts, withAccounts } from '../with-accounts.js';

const account = z.strictObject({
  id: z.string(),
  email: z.string(),
  verified: z.boolean(),
  created_at: z.string(),
  credits: z.number(),
  bought: z.boolean(),
});

const email = ['--email <address>', 'the e-mail address of the account'] as const;

/** The account of a key, as the API returns it. */
interface ServerAccount {
  readonly id: string;
  readonly email: string;
  readonly is_verified: boolean;
  readonly created_at: string;
  readonly credits_remaining: number;
  readonly credits_kind: string;
}

function accountRow(of: ServerAccount): z.output<typeof account> {
  const { id, email: address, is_verified: verified, created_at, credits_remaining, credits_kind } = of;
  const bought = credits_kind === 'bought';
  return { id, email: address, verified, created_at, credits: credits_remaining, bought };
}

/** `extract server accounts …`: manages accounts. */
export function defineCommand(group: Command, context: Context): void {
  const create = group
    .command('create')
    .description('Create an account')
    .requiredOption(...email)
    .option('--verified', 'treat the address as confirmed, and grant the trial credits')
    .option('--credits <number>', 'credits to start with, besides the trial credits', creditsAmount)
    .option('--allow-disposable', 'allow a disposable e-mail address');
  addOutputOptions(addLocalOption(create)).action(async () => {
    await requireLocal(context, create, 'accounts are created');
    const { email: address, verified = false, credits = 0, allowDisposable = false } = create.opts();
    const reply = answerWriter(create, context, account, false);
    if (!allowDisposable && (await isDisposable(emailAddress(address), readHostingConfig().emailAllow))) {
      throw new ExtractError(
        'disposable_email',
        `${JSON.stringify(address)} belongs to a disposable e-mail service. Use a permanent address, or --allow-disposable.`,
        { next: '' },
      );
    }
    const newAccount = {
      email: address as string,
      verified: verified as boolean,
      credits: credits as number,
    };
    const data = await changeAccounts(context, (accounts) => accounts.create(newAccount));
    await reply({ data });
    const trial = data.credits - newAccount.credits;
    if (newAccount.credits > 0 && trial > 0) {
      const [grant, of] = [newAccount.credits, trial].map((count) => count.toLocaleString('en-US'));
      await writeNote(context, `The balance is ${grant} credits, and ${of} of the trial.`);
    }
  });

  const list = group.command('list').description('List the accounts, oldest first');
  const empty = 'No accounts yet. Create one with “extract server accounts create”.';
  const listed = async () => {
    if ((await chosenServer(context, list)) === undefined)
      return { data: await withAccounts(context, (accounts) => accounts.list()), empty };
    const { data, meta } = await withServer(context, (client) => client.get('account', {}));
    return { data: [accountRow(data as ServerAccount)], meta };
  };
  const columns = ['email', 'credits', 'verified', 'bought', 'created_at', 'id'];
  answerList(addLocalOption(list), context, account, listed, columns);

  const credit = group
    .command('credit')
    .description('Confirm a payment by hand: add credits to an account, with a receipt')
    .requiredOption(...email)
    .requiredOption('--credits <number>', 'number of credits', creditsAmount);
  answerObject(addLocalOption(credit), context, account, async () => {
    await requireLocal(context, credit, 'credits are bought');
    const { email: address, credits } = credit.opts();
    const data = await changeAccounts(context, async (accounts, opened) => {
      const { id } = await accountOf(accounts, address);
      await opened.purchases.payByHand(id, credits, readHostingConfig().currency);
      return accountOf(accounts, address);
    });
    return { data };
  });

  const verify = group
    .command('verify')
    .description('Confirm the e-mail address of an account, and grant the trial credits')
    .requiredOption(...email);
  answerObject(addLocalOption(verify), context, account, async () => {
    await requireLocal(context, verify, 'addresses are confirmed');
    const { email: address } = verify.opts();
    const data = await changeAccounts(context, async (accounts) =>
      accounts.verify((await accountOf(accounts, address)).id),
    );
    return { data };
  });
}
