import path from 'node:path';
import type { Command } from 'commander';
import { addBatchOptions, batchOptionsOf, resumeCommand } from '../batch/batch-options.js';
import { chainOptionsOf } from '../batch/chain-options.js';
import { setCompletionWords } from '../completion/words.js';
import { type Context, configOf } from '../context.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';

const introduction = [
  'Run an endpoint for every line of a file; without an endpoint, each line is a URL.',
  'The input is one name, ID or URL per line, a table (CSV, TSV, XLSX), objects of parameters (NDJSON, JSON), or the results of an earlier command. Other columns are kept. Failed inputs are free.',
  'With -o, a checkpoint next to the output lets --resume continue after any interruption.',
].join('\n\n');

const afterword = `
Examples:
  # a profile for each line of names.txt
  extract batch tiktok/profile names.txt -o profiles.xlsx
  # links of all platforms, a sheet for each kind
  extract batch urls.txt -o all.xlsx
  # which lines are wrong, without a request
  extract batch google-maps/place places.csv --dry-run
  # in a pipe
  cut -f1 list.tsv | extract batch instagram/profile - | jq .data.name
  # the comments of the first five videos of each search
  extract batch tiktok/search words.txt --then tiktok/comments --then-limit 5 -o tea.xlsx`;

/** `extract batch`: calls an endpoint for each input. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<endpoint>', 'such as tiktok/profile; without it each line of the file is a URL')
    .argument('[file]', 'the inputs; - or nothing for stdin');
  setCompletionWords(
    command,
    context.endpoints.map(({ path }) => path),
  );
  addBatchOptions(command, { once: true })
    .addHelpText('after', afterword)
    .action(async (endpoint: string, file: string | undefined) => {
      const options = command.opts<Options>();
      const resumeHint = resumeCommand(command);
      const then = options.then as readonly string[];
      if (file === undefined) {
        const { isAddressFile, runAddressed } = await import('../batch/run-addressed.js');
        if (await isAddressFile(endpoint, context.endpoints))
          return runAddressed(context, endpoint, options, resumeHint);
      }
      const { withBatchBucket } = await import('../bucket/batch-bucket.js');
      if (then.length > 0) {
        const { runChain } = await import('../batch/run-chain.js');
        const plain =
          options.pseudonymise === undefined ? null : path.join((await configOf(context)).home, 'chains');
        return withBatchBucket(context, options, false, async (batchOptions) => {
          const stages = chainOptionsOf([endpoint, ...then], file, batchOptions, context.endpoints, plain);
          await runChain(context, stages, { appends: options.append === true, resumeHint });
        });
      }
      if (options.thenLimit !== undefined) {
        throw new UsageError('missing_parameter', '--then-limit requires --then ENDPOINT.');
      }
      await withBatchBucket(context, options, false, async (batchOptions) => {
        const options = batchOptionsOf(endpoint, file, batchOptions, context.endpoints);
        const { runBatchCommand } = await import('../batch/run.js');
        await runBatchCommand(context, options, { resumeHint });
      });
    });
}
