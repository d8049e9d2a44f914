import type { Command } from 'commander';
import * as z from 'zod';
import { localAccount } from '../../../../lib/ledger/ledger.js';
import { newRequestId } from '../../../../lib/runtime/request-id.js';
import { type CommandExtractor, type Context, withExtractor } from '../context.js';
import { creditsAmount } from '../credits-amount.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';

const balance = z.strictObject({ account: z.string(), credits: z.number(), bought: z.boolean() });

async function balanceOf(extractor: CommandExtractor): Promise<z.output<typeof balance>> {
  return (await extractor.ledger()).balance(localAccount);
}

/** `extract credits` and `extract credits add N`: the balance of this machine's account. */
export function fillCredits(command: Command, context: Context): void {
  addOutputOptions(command).action(async () => {
    const reply = answerWriter(command, context, balance, false);
    await reply({ data: await withExtractor(context, {}, balanceOf) });
  });
  const add = command
    .command('add')
    .description('Add credits to the account of this machine')
    .argument('<credits>', 'number of credits', creditsAmount);
  addOutputOptions(add).action(async (credits: number) => {
    const reply = answerWriter(add, context, balance, false);
    const data = await withExtractor(context, {}, async (extractor) => {
      const ledger = await extractor.ledger();
      const id = newRequestId();
      await ledger.grant({ id, account: localAccount, credits, kind: 'pack', at: new Date().toISOString() });
      return ledger.balance(localAccount);
    });
    await reply({ data });
  });
}
