import type { Command } from 'commander';
import * as z from 'zod';
import { defaultDocsBase } from '../../../../lib/errors/extract-error.js';
import { readServerConfig } from '../../../config/server-config.js';
import { adminSignInPath } from '../../../service/accounts/sign-in/sign-in.js';
import type { Context } from '../context.js';
import { answerObject } from '../reply.js';
import { changeAccounts } from '../with-accounts.js';

const link = z.strictObject({ url: z.string() });

/** Returns the address of this data directory's server: configured, recorded at its start, or the default. */
async function serverAddress({ settings }: Context, home: string): Promise<string> {
  if (settings.docsUrl !== defaultDocsBase) return settings.docsUrl;
  const { notedAddress } = await import('../../../compose/server-address.js');
  return notedAddress(home) ?? `http://localhost:${readServerConfig().port}`;
}

/** `extract server admin …`: opens the admin page for the operator. */
export function defineCommand(group: Command, context: Context): void {
  const command = group
    .command('link')
    .description('Create a link to the admin page. It works once, for an hour, and ends earlier links');
  answerObject(command, context, link, async () => {
    const url = await changeAccounts(context, async (_, { adminSignIn }, { home }) => {
      const token = await adminSignIn.createLink();
      return `${await serverAddress(context, home)}${adminSignInPath}?token=${token}`;
    });
    return { data: { url }, note: 'It works once, within an hour.' };
  });
}
