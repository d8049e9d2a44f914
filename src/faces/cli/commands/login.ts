import type { Command } from 'commander';
import * as z from 'zod';
import { baseUrlOf, isInTheOpen } from '../../../../lib/remote/base-url.js';
import { writeLogin } from '../../../../lib/remote/login.js';
import { type Context, withExtractor } from '../context.js';
import { answerObject } from '../reply.js';
import { UsageError } from '../usage-error.js';

const loggedIn = z.strictObject({
  base_url: z.string(),
  account: z.string(),
  credits: z.number(),
  bought: z.boolean(),
});

/** `extract login`: makes commands use a server instead of the platforms. */
export function defineCommand(login: Command, context: Context): void {
  login.requiredOption('--base-url <url>', 'the server, such as https://extract.example.com/v1');
  answerObject(login, context, loggedIn, async () => {
    const baseUrl = baseUrlOf(login.opts().baseUrl, { url: '--base-url', key: 'the prompt' });
    if (isInTheOpen(baseUrl)) {
      await context.stderr.write(
        `Warning: ${new URL(baseUrl).host} is another machine and the address uses http: anyone on the network can read the key. Use https.\n`,
      );
    }
    if (context.stderr.isTTY) await context.stderr.write(`API key for ${baseUrl}: `);
    const apiKey = await context.askSecret();
    if (context.stderr.isTTY) await context.stderr.write('\n');
    if (apiKey === '') {
      throw new UsageError('missing_api_key', 'The API key is missing.', 'Enter it, or pipe it in.');
    }
    const data = await withExtractor(context, { baseUrl, apiKey }, async (extractor) => {
      // A key that the server rejects is not stored.
      const balance = await (await extractor.ledger()).balance('');
      writeLogin(extractor.config.home, { baseUrl, apiKey });
      return { base_url: baseUrl, ...balance };
    });
    return { data };
  });
}
