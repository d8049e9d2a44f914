import type { Command } from 'commander';
import * as z from 'zod';
import { defaultDocsBase } from '../../../../lib/errors/extract-error.js';
import { readServerConfig } from '../../../config/server-config.js';
import { adminSignInPath } from '../../../service/accounts/sign-in/sign-in.js';
import type { Context } from '../context.js';
import { answerObject } from '../reply.js';
import { changeAccounts } from '../with-accounts.js';

const link = z.strictObject({ url: z.string() });

/** Where the server of this data directory is reached: as is set, as it noted when it started, or by default. */
async function serverAddress({ settings }: Context, home: string): Promise<string> {
  if (settings.docsUrl !== defaultDocsBase) return settings.docsUrl;
  const { notedAddress } = await import('../../../compose/server-address.js');
  return notedAddress(home) ?? `http://localhost:${readServerConfig().port}`;
}

/** `extract admin …`: the operator's way to the admin page. */
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
