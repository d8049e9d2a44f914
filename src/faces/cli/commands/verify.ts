import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { Options } from '../output.js';

const introduction = [
  'Check results against the archive kept beside them (--archive). Nothing is requested or charged.',
  'First, the digests of the archive are checked. Then this version reads the archived pages again and reports each line of the results: equal; differs, with each field as it was then and as it is now; missing, if the archive does not hold its page; unread, for an error that came before a page was read.',
  'The exit status is 0 if all lines are equal or unread, 7 if one differs or is missing, and 8 if the archive was altered. After a run that was killed, the parts that it left beside the archive are read.',
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
