import type { Command } from 'commander';
import * as z from 'zod';
import { removeLogin } from '../../../../lib/remote/login.js';
import { type Context, withExtractor } from '../context.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';

const loggedOut = z.strictObject({ base_url: z.null() });

/** Any values: with both set nothing looks for a login, so that a damaged one can be replaced or removed. */
const noLogin = { baseUrl: 'http://localhost/v1', apiKey: '' };

/** `extract logout`: no server any more. */
export function defineCommand(logout: Command, context: Context): void {
  addOutputOptions(logout).action(async () => {
    const reply = answerWriter(logout, context, loggedOut, false);
    await withExtractor(context, noLogin, async ({ config }) => removeLogin(config.home));
    await reply({ data: { base_url: null } });
  });
}
