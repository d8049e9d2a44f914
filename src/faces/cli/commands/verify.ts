import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { Options } from '../output.js';

const introduction = [
  'Check results against their archive (--archive). Makes no requests.',
  'Checks the hashes of the archive first. Then this version reads the archived pages again and reports each line of the results: equal; differs, with the old and new value of each field; missing, if the archive lacks its page; unread, for an error that occurred before a page was read.',
  'The exit status is 0 if all lines are equal or unread, 7 if one differs or is missing, and 8 if the archive was altered. After a killed run, the files that it left next to the archive are read.',
].join('\n\n');

const afterword = `
Examples:
  extract batch tiktok/profile names.txt -o profiles.ndjson --archive profiles.wacz
  extract archive verify profiles.wacz profiles.ndjson`;

/** `extract archive verify`: compares results with their archived pages. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<archive>', 'the archive (.wacz)')
    .argument('<results>', 'the results as NDJSON, or the JSON of a call')
    .option('--json', 'One line of JSON for each line: line, status, differences, note')
    .option('-q, --quiet', 'Only lines that are not equal, and no summary')
    .addHelpText('after', afterword)
    .action(async (archive: string, results: string) => {
      const { json, quiet } = command.opts<Options>();
      const { runVerify } = await import('../archive/run-verify.js');
      await runVerify(context, archive, results, { json: json === true, quiet: quiet === true });
    });
}
