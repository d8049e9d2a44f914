import type { Command } from 'commander';
import type { WrittenFile } from '../bucket/object-file.js';
import type { Context } from '../context.js';
import type { Options } from '../output.js';

const introduction = [
  'Read the results from archived pages again. Makes no requests.',
  'Each requested object or list becomes a line of a batch, in the order of reading: {"input":…,"data":…,"sources":…}. The pages of a list are one line. The input is the request, with its parameters in canonical form.',
].join('\n\n');

const afterword = `
Examples:
  # after an update that fixed a parser
  extract archive read profiles.wacz -o again.ndjson`;

/** `extract archive read`: reads the results of archived pages with this version. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<archive>', 'the archive (.wacz)')
    .option(
      '-o, --output <file>',
      'Write the lines to this file, or to a bucket (s3://bucket/name.ndjson). Default: stdout',
    )
    .option('--overwrite', 'Replace the file if it exists')
    .option('-q, --quiet', 'No summary')
    .addHelpText('after', afterword)
    .action(async (archive: string) => {
      const options = command.opts<Options>();
      const { overwrite, quiet } = options;
      const output = options.output as string | undefined;
      const { runFromArchive } = await import('../archive/run-from-archive.js');
      const run = (target: WrittenFile | null) =>
        runFromArchive(context, archive, {
          output: target,
          overwrite: overwrite === true,
          quiet: quiet === true,
        });
      if (output === undefined) return run(null);
      const { withObjectFile } = await import('../bucket/object-file.js');
      await withObjectFile(context, output, options, run);
    });
}
