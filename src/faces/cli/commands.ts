import type { Command } from 'commander';
import type { Context } from './context.js';

/** A command that is not an endpoint's. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /**
   * Defines its arguments, options and action. Loaded on demand, so that other commands start without it. A command
   * without it only has parts.
   */
  readonly load?: () => Promise<{
    defineCommand(command: Command, context: Context, wholeProgram: () => Promise<Command>): void;
  }>;
  /** Subcommands that were top-level commands before. */
  readonly parts?: readonly Part[];
}

interface Part extends CommandEntry {
  /** Former spelling, which still works. */
  readonly former: readonly string[];
  /** True if it is only of use where calls have a price. */
  readonly priced?: true;
}

const entry = (
  name: string,
  description: string,
  load: CommandEntry['load'],
  parts?: readonly Part[],
): CommandEntry => ({
  ...{ name, description },
  ...(load === undefined ? {} : { load }),
  ...(parts === undefined ? {} : { parts }),
});

/** Defines a subcommand with its former spelling, or a new one. */
const part = (
  name: string,
  description: string,
  load: CommandEntry['load'],
  former: readonly string[] = [name],
): Part => ({ ...entry(name, description, load), former });

/** Commands of a platform that combine many calls of one endpoint. */
export const platformCommands: readonly (CommandEntry & {
  readonly endpoint: string;
})[] = [
  {
    endpoint: 'maps/places',
    ...entry('cover', 'Find all places in an area with many searches', () => import('./commands/cover.js')),
  },
  {
    endpoint: 'maps/places',
    ...entry('grid', 'Rank a place at points around it, as a map', () => import('./commands/grid.js')),
  },
];

/** Commands on the first screen of the help; `--help --all` lists all of them. */
export const everyday: ReadonlySet<string> = new Set(
  'batch media watch usage doctor config serve mcp login endpoints errors'.split(' '),
);

/** The commands that are not endpoints, in the order and under the headings of the help. */
export const commandGroups: readonly {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}[] = [
  {
    title: 'Many inputs:',
    commands: [
      entry('batch', 'Run an endpoint for every line of a file', () => import('./commands/batch.js')),
      entry('media', 'Download the pictures and videos of results', () => import('./commands/media.js')),
      entry('convert', 'Write results as a file of another format', () => import('./commands/convert.js')),
      entry('watch', 'Run a batch on a schedule', () => import('./commands/watch.js')),
      entry('history', 'Show what changed over time, or draw it', () => import('./commands/history.js'), [
        part(
          'feed',
          'Write what is new and what changed as an Atom or JSON feed',
          () => import('./commands/feed.js'),
        ),
        part('new', 'Manage what --new remembers from earlier runs', () => import('./commands/new.js')),
      ]),
      entry('archive', 'Check results against their archived pages, or read them again', undefined, [
        part(
          'verify',
          'Check results against the archive of their pages',
          () => import('./commands/verify.js'),
        ),
        part('read', 'Read the results from an archive again', () => import('./commands/from-archive.js'), [
          'from-archive',
        ]),
      ]),
      entry('jobs', 'Run batch jobs on a server, once or on a schedule', () => import('./commands/jobs.js'), [
        part('schedules', 'Manage recurring jobs', () => import('./commands/schedules.js')),
        part('webhooks', 'Show, resend and receive webhooks of jobs', () => import('./commands/webhooks.js')),
      ]),
    ],
  },
  {
    title: 'This machine:',
    commands: [
      entry('usage', 'List the calls, newest first', () => import('./commands/usage.js'), [
        {
          ...part('credits', 'Show the balance, or add to it', () => import('./commands/credits.js')),
          priced: true,
        },
      ]),
      entry('cache', 'Manage the answer cache', () => import('./commands/cache.js')),
      entry(
        'forget',
        'Delete a person, place or thing from everything that is stored, with a receipt',
        () => import('./commands/forget.js'),
      ),
      entry(
        'suppress',
        'Suppress people, places or things: never requested, never returned',
        () => import('./commands/suppress.js'),
      ),
      entry(
        'doctor',
        'Check this machine and, with --live, the platforms',
        () => import('./commands/doctor.js'),
        [part('update', 'Check for a newer version', () => import('./commands/update.js'))],
      ),
      entry('config', 'Show the settings in effect', () => import('./commands/config.js')),
    ],
  },
  {
    title: 'Server:',
    commands: [
      entry('serve', 'Serve the HTTP API from this data directory', () => import('./commands/serve.js')),
      entry('server', 'Run a server: accounts, keys, database, backups', undefined, [
        part('accounts', 'Manage the accounts', () => import('./commands/accounts.js')),
        part('keys', 'Manage the API keys', () => import('./commands/keys.js')),
        part('audit', 'List and export the actions of operators', () => import('./commands/audit.js')),
        part('admin', 'Get a link to the admin page', () => import('./commands/admin.js')),
        part('database', 'Manage the PostgreSQL database of servers', () => import('./commands/database.js')),
        part(
          'deploy',
          'Print samples for systemd, containers, proxies and monitoring',
          () => import('./commands/deploy.js'),
        ),
        part(
          'backup',
          'Back up the data directory to one file, even while a server runs',
          () => import('./commands/backup.js'),
        ),
        part(
          'restore',
          'Restore the data directory from a backup, or check one',
          () => import('./commands/restore.js'),
        ),
      ]),
      entry('mcp', 'Serve the endpoints as tools for assistants (MCP)', () => import('./commands/mcp.js'), [
        part('skill', 'Show assistants how to use this command', () => import('./commands/skill.js'), [
          'skill install',
          'skill',
        ]),
      ]),
      entry('login', 'Use a server from now on; asks for its API key', () => import('./commands/login.js')),
      entry(
        'logout',
        'Forget the server and its key; commands run on this machine again',
        () => import('./commands/logout.js'),
      ),
    ],
  },
  {
    title: 'Reference:',
    commands: [
      entry('endpoints', 'List the endpoints and their parameters', () => import('./commands/endpoints.js')),
      entry('errors', 'Explain an error code, or list them all', () => import('./commands/errors.js')),
      entry('completion', 'Print the completion script of a shell', () => import('./commands/completion.js')),
    ],
  },
];

/** Former spellings, the longest first, and the current ones. */
export const formerCommands: readonly (readonly [former: readonly string[], now: readonly string[]])[] =
  commandGroups.flatMap(({ commands }) =>
    commands.flatMap(({ name, parts = [] }) =>
      parts.flatMap((one) => one.former.map((words) => [words.split(' '), [name, one.name]] as const)),
    ),
  );
