import { type Command, Option } from 'commander';
import { type Scheduler, schedulers } from '../../../files/watch/install/schedulers.js';
import { addBatchOptions, batchOptionsOf, typedArgs } from '../batch/batch-options.js';
import { setCompletionWords } from '../completion/words.js';
import type { Context } from '../context.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';

const introduction = [
  'Run a batch on a schedule.',
  'The schedule is an interval (30m, 6h, 1d, 1w), days and a time ("monday 08:00", "weekdays 07:30"), or five cron fields ("0 6 * * *"), in the local time of this machine. The first run starts immediately. A restarted watch continues: an interrupted run resumes in its own file, and missed runs are made up once.',
  'With -o, each run writes a separate file, with the time in its name; a run that finds nothing new writes none. Without -o, the lines go to stdout, and an interrupted run starts over.',
].join('\n\n');

const afterword = `
Examples:
  # new posts of these accounts, four times a day
  extract watch instagram/posts names.txt --every 6h --new names -o news.ndjson
  # the same from cron
  extract watch instagram/posts names.txt --once --new names -o news.ndjson
  # every Monday, by the machine's own scheduler (systemd, cron or launchd)
  extract watch instagram/posts names.txt --every "monday 08:00" -o news.ndjson --install --write`;

function timetableText({ every, once }: Options): string | null {
  if (every !== undefined && once === true) {
    throw new UsageError('conflicting_parameters', 'Give either --every or --once, not both.');
  }
  if (once === true) return null;
  if (every !== undefined) return String(every);
  throw new UsageError(
    'missing_parameter',
    'Say when to run it, such as --every 6h.',
    '--once runs it a single time, for cron and other schedulers.',
  );
}

function webhookOf({ webhook }: Options): string | undefined {
  if (webhook === undefined) return undefined;
  const url = String(webhook);
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError('invalid_parameter', '--webhook must be an http or https URL.');
}

/** `extract watch`: runs a batch on a timetable, in one process. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<endpoint>', 'such as instagram/posts')
    .argument('<file>', 'the inputs, read again for each run')
    .optionsGroup('Timetable:')
    .option('--every <schedule>', 'When to run: 6h, 1d, "monday 08:00", or five cron fields')
    .option('--once', 'Run once and exit, for cron and other schedulers')
    .addOption(
      new Option(
        '--install [scheduler]',
        'Show how to schedule it on this machine, without an open terminal',
      ).choices(schedulers),
    )
    .option('--write', 'With --install: set it up and start it')
    .option('--webhook <url>', 'Post a summary of each run; signed if EXTRACT_WEBHOOK_SECRET is set');
  setCompletionWords(
    command,
    context.endpoints.map(({ path }) => path),
  );
  addBatchOptions(command, { once: false })
    .addHelpText('after', afterword)
    .action(async (endpoint: string, file: string) => {
      const options = command.opts<Options>();
      const text = timetableText(options);
      const webhook = webhookOf(options);
      if (file === '-') {
        throw new UsageError(
          'invalid_parameter',
          'A watch reads its inputs again for each run, so they must be a file.',
        );
      }
      const { parseTimetable } = await import('../../../service/schedule/timetable.js');
      const timetable = text === null ? null : parseTimetable(text);
      const { withBatchBucket } = await import('../bucket/batch-bucket.js');
      await withBatchBucket(context, options, true, async (options) => {
        const batch = { ...batchOptionsOf(endpoint, file, options, context.endpoints), input: file };
        if (options.install !== undefined) {
          if (timetable === null) {
            throw new UsageError('conflicting_parameters', '--install requires --every.');
          }
          const { installWatchCommand } = await import('../watch/install.js');
          const scheduler = options.install === true ? null : (options.install as Scheduler);
          const write = options.write === true;
          const args = typedArgs(command);
          await installWatchCommand(context, { batch, webhook, timetable, args, scheduler, write });
          return;
        }
        const { runWatchCommand } = await import('../watch/run-watch.js');
        await runWatchCommand(context, { batch, timetable, webhook });
      });
    });
}
