import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { Options } from '../output.js';

const introduction = [
  'Make the results of an archive anew, from its pages. Nothing is requested or charged.',
  'Each object or list that was asked for becomes a line of a batch, in the order in which they were read: {"input":…,"data":…,"sources":…}. The pages of a list are one line. The input is what was asked for, with its parameters reduced.',
].join('\n\n');

const afterword = `
Examples:
  # after an update that mended a reader
  extract from-archive profiles.wacz -o again.ndjson`;

/** `extract from-archive`: the results of archived pages, by the readers of this version. */
export function fillFromArchive(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<archive>', 'the archive (.wacz)')
    .option('-o, --output <file>', 'Write the lines to this file. Default: stdout')
    .option('--overwrite', 'Replace the file if it exists')
    .option('-q, --quiet', 'No summary')
    .addHelpText('after', afterword)
    .action(async (archive: string) => {
      const { output, overwrite, quiet } = command.opts<Options>();
      const { runFromArchive } = await import('../archive/run-from-archive.js');
      await runFromArchive(context, archive, {
        output: (output as string | undefined) ?? null,
        overwrite: overwrite === true,
        quiet: quiet === true,
      });
    });
}
