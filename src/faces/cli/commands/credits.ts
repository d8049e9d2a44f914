import type { Command } from 'commander';
import * as z from 'zod';
import { type Ledger, localAccount } from '../../../../lib/ledger/ledger.js';
import { newRequestId } from '../../../../lib/runtime/request-id.js';
import { type Context, withExtractor } from '../context.js';
import { noteInDirectory } from '../note-in-directory.js';
import { creditsAmount } from '../number-arguments.js';
import { addOutputOptions, outputOf } from '../output.js';
import { answerWriter } from '../reply.js';
import { directoryText, tellChange } from '../tell-change.js';

const balance = z.strictObject({ account: z.string(), credits: z.number(), bought: z.boolean() });

/** Writes the balance after `change`, unless an output option is invalid. */
async function showBalance(
  command: Command,
  context: Context,
  change?: (ledger: Ledger, home: string) => Promise<unknown>,
): Promise<void> {
  const reply = answerWriter(command, context, balance, false);
  const { format, fields } = outputOf(command.opts(), context);
  await withExtractor(context, {}, async (extractor) => {
    const ledger = await extractor.ledger();
    await change?.(ledger, extractor.config.home);
    const { bought, ...rest } = await ledger.balance(localAccount);
    // No credits are bought on the user's own machine.
    const isBare = format === 'table' && fields === null && extractor.config.baseUrl === undefined;
    await reply({ data: isBare ? rest : { ...rest, bought } });
    if (change !== undefined) await tellChange(context, directoryText(extractor.config.home));
  });
}

/** `extract usage credits [add N]`: the balance of this machine's account. */
export function defineCommand(command: Command, context: Context): void {
  addOutputOptions(command).action(() => showBalance(command, context));
  const add = command
    .command('add')
    .description('Add credits to the account of this machine')
    .argument('<credits>', 'number of credits', creditsAmount);
  addOutputOptions(add).action((credits: number) =>
    showBalance(add, context, async (ledger, home) => {
      const at = new Date().toISOString();
      await ledger.grant({ id: newRequestId(), account: localAccount, credits, kind: 'pack', at });
      await noteInDirectory(home, { act: 'credits.add', subject: localAccount, details: { credits } });
    }),
  );
}
