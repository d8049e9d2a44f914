import type { Command } from 'commander';
import { addInputEndpoint } from '../batch/batch-options.js';
import type { Context } from '../context.js';
import { addCsvOptions, noSourcesOption, type Options } from '../output.js';
import { addStepOptions } from '../step-options.js';

const introduction = [
  'Write existing results as a file of another format. Makes no requests.',
  'The results are NDJSON or JSON (the lines of a batch, answers, or items), or a table: CSV, TSV, XLSX or Parquet. If the lines that a batch built a file from are next to it, they are read instead; SQLite needs them. The extension of the new file sets the format: .ndjson, .json, .csv, .tsv, .xlsx, .sqlite or .parquet.',
].join('\n\n');

const afterword = `
Examples:
  extract convert profiles.ndjson profiles.xlsx
  extract convert videos.json videos.parquet --endpoint tiktok/search
  # to share: the same person has the same pseudonym in each file
  extract convert comments.ndjson comments.csv --pseudonymise author,username`;

/** `extract convert`: converts existing results to another format. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<file>', 'results as NDJSON, JSON, CSV, TSV, XLSX or Parquet')
    .argument('<out>', 'the new file, or an object of a bucket (s3://bucket/name.csv)');
  addStepOptions(addCsvOptions(addInputEndpoint(command)), 'convert')
    .addOption(noSourcesOption())
    .option('--overwrite', 'Replace an existing file')
    .option('-q, --quiet', 'No summary')
    .addHelpText('after', afterword)
    .action(async (file: string, output: string) => {
      const { runConvert } = await import('../convert/run-convert.js');
      const options = command.opts<Options>();
      const { withObjectFile } = await import('../bucket/object-file.js');
      await withObjectFile(context, output, options, (target) => runConvert(context, file, target, options));
    });
}
