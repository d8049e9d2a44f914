import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Context } from '../context.js';
import { readHistory } from '../history/history-file.js';
import { subjectsOf } from '../history/subjects.js';
import { wholeNumber } from '../number-arguments.js';
import type { Options } from '../output.js';
import { printable } from '../printable.js';
import { checkReplaceable } from '../replaceable-file.js';
import { writeAtomically } from '../write-atomically.js';

const introduction = [
  'Write what is new and what changed as a feed, from a database that --history wrote.',
  'Each changed item is an entry, newest first: new and removed items of lists, and changed fields, except likes and views of list items. An entry keeps its ID, so a feed reader shows it once.',
].join('\n\n');

const afterword = `
Examples:
  extract history feed posts.sqlite -o posts.atom
  extract history feed posts.sqlite nasa --format json`;

/** `extract history feed FILE`: writes changes as a feed. */
export function defineCommand(command: Command, context: Context): void {
  command
    .summary(command.description())
    .description(introduction)
    .argument('<file>', 'the database that --history named')
    .argument('[subject]', 'what was requested, such as nasa; everything by default')
    .addOption(
      new Option(
        '--format <format>',
        'Atom or JSON Feed; by default the format of the file name, otherwise Atom',
      ).choices(['atom', 'json']),
    )
    .option(
      '-o, --output <file>',
      'Write to this file, or to a bucket (s3://bucket/name.atom). Default: stdout',
    )
    .option('--overwrite', 'Replace the file if it exists')
    .option('--title <text>', 'Title of the feed')
    .option('--limit <number>', 'Maximum number of changes, newest first', wholeNumber(1, 1_000), 100)
    .addHelpText('after', afterword)
    .action(async (file: string, subject: string | undefined) => {
      const options = command.opts<Options>();
      const output = options.output as string | undefined;
      const isJson = (options.format ?? (output?.endsWith('.json') === true ? 'json' : 'atom')) === 'json';
      const feedText = () =>
        readHistory(file, async (history) => {
          const subjects = subjectsOf(await history.subjects(), subject);
          const { atomFeed } = await import('../../../output/feed/atom-feed.js');
          const { jsonFeed } = await import('../../../output/feed/json-feed.js');
          const { uuidUrn } = await import('../../../output/feed/feed.js');
          const { feedEntries } = await import('../../../files/history/feed-entries.js');
          const { changes } = await history.changes({
            ...{ newestFirst: true, items: true, quiet: true, limit: options.limit as number },
            subjects: subject === undefined ? undefined : subjects.map(({ number }) => number),
          });
          const id = uuidUrn(`${await history.origin()} ${subject ?? ''}`);
          const title = (options.title as string | undefined) ?? subject ?? path.basename(file);
          const emptySince = subjects[0]?.first_at ?? new Date(0).toISOString();
          const feed = {
            id,
            title,
            selfUrl: null,
            homeUrl: null,
            entries: feedEntries(id, changes),
            emptySince,
          };
          return isJson ? jsonFeed(feed) : atomFeed(feed);
        });
      if (output === undefined) {
        const text = await feedText();
        await context.stdout.write(context.stdout.isTTY ? printable(text) : text);
        return;
      }
      const { withObjectFile } = await import('../bucket/object-file.js');
      await withObjectFile(context, output, options, async ({ file: target }) => {
        await checkReplaceable(target, options.overwrite === true);
        await writeAtomically(target, [await feedText()]);
      });
    });
}
