import type { Command } from 'commander';
import * as z from 'zod';
import { type Context, withExtractor } from '../context.js';
import { answerObject } from '../reply.js';

const outcome = z.strictObject({ cleared: z.boolean() });

/** `extract cache clear`: forgets every kept answer. */
export function defineCommand(cache: Command, context: Context): void {
  const command = cache.command('clear').description('Delete every cached answer');
  answerObject(command, context, outcome, async () => {
    // The entries of an earlier run are there even when this one is set to cache nothing.
    await withExtractor(context, { cache: true }, async (extractor) => {
      await (await extractor.cache()).clear();
    });
    return { data: { cleared: true } };
  });
}
