import type { Command } from 'commander';
import * as z from 'zod';
import { removeLogin } from '../../../../lib/remote/login.js';
import { type Context, configOf } from '../context.js';
import { answerObject } from '../reply.js';

const loggedOut = z.strictObject({ base_url: z.null() });

/** Placeholders: if both are set, the login is not read, so a damaged one can be replaced or removed. */
const noLogin = { baseUrl: 'http://localhost/v1', apiKey: '' };

/** `extract logout`: makes commands use the platforms again. */
export function defineCommand(logout: Command, context: Context): void {
  answerObject(logout, context, loggedOut, async () => {
    removeLogin((await configOf(context, noLogin)).home);
    return { data: { base_url: null } };
  });
}
