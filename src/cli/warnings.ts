import type { Context } from './context.js';
import { errorsAsJson } from './output.js';
import { printable } from './printable.js';
import { styled } from './style.js';
import { wrapText } from './wrapped.js';

/**
 * Tells on stderr what did not keep a command from its answer, after the answer: a view of the progress may be drawn
 * there before. For programs a line of JSON, as errors are.
 */
export async function writeWarnings(
  warnings: readonly Error[],
  args: readonly string[],
  { stderr, settings }: Context,
): Promise<void> {
  const color = stderr.isTTY && settings.color && !args.includes('--no-color');
  for (const { message } of warnings) {
    const text = errorsAsJson(args, stderr.isTTY)
      ? JSON.stringify({ warning: { message } })
      : styled('dim', await wrapText(printable(message), stderr), color);
    // Nobody may read on; that changes nothing about the answer.
    await stderr.write(`${text}\n`).catch(() => undefined);
  }
}
