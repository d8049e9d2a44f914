import type { Command } from 'commander';
import * as z from 'zod';
import { type Context, withExtractor } from '../context.js';
import { answerObject } from '../reply.js';

const outcome = z.strictObject({ cleared: z.boolean() });

/** `extract cache clear`: deletes every cached answer. */
export function defineCommand(cache: Command, context: Context): void {
  const command = cache.command('clear').description('Delete every cached answer');
  answerObject(command, context, outcome, async () => {
    // An earlier run may have cached answers, even if caching is disabled now.
    await withExtractor(context, { cache: true }, async (extractor) => {
      await (await extractor.cache()).clear();
    });
    return { data: { cleared: true } };
  });
}
