import type { Command } from 'commander';
import type { Context } from './context.js';

/** A command that is not an endpoint's. */
interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /**
   * Defines its arguments, options and action; loaded when the arguments lead to it, so that no other command waits.
   */
  readonly load: () => Promise<{
    defineCommand(command: Command, context: Context, wholeProgram: () => Promise<Command>): void;
  }>;
}

const entry = (name: string, description: string, load: CommandEntry['load']): CommandEntry => ({
  name,
  description,
  load,
});

/** Commands of a platform that are not endpoints: combinations of many calls of one endpoint. */
export const platformCommands: readonly (CommandEntry & {
  /** The endpoint that it calls. */
  readonly endpoint: string;
})[] = [
  {
    endpoint: 'maps/places',
    ...entry('cover', 'Find all places of an area with many searches', () => import('./commands/cover.js')),
  },
  {
    endpoint: 'maps/places',
    ...entry('grid', 'Rank a place at points around it, as a map', () => import('./commands/grid.js')),
  },
];

/** Commands on the first screen of the help; `--help --all` lists the others, too. */
export const everyday: ReadonlySet<string> = new Set(
  'batch media watch usage doctor config serve mcp login endpoints errors'.split(' '),
);

/** The commands that are not endpoints, in the order and under the titles of the help. */
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
      entry(
        'verify',
        'Check results against the archive of their pages',
        () => import('./commands/verify.js'),
      ),
      entry(
        'from-archive',
        'Read the results from an archive again',
        () => import('./commands/from-archive.js'),
      ),
      entry('watch', 'Run a batch on a schedule', () => import('./commands/watch.js')),
      entry('history', 'Show what changed over time, or draw it', () => import('./commands/history.js')),
      entry(
        'feed',
        'Write what is new and what changed as an Atom or JSON feed',
        () => import('./commands/feed.js'),
      ),
      entry('new', 'Manage what --new remembers of earlier runs', () => import('./commands/new.js')),
      entry('jobs', 'Run batch jobs on a server', () => import('./commands/jobs.js')),
      entry('schedules', 'Manage jobs that repeat on a server', () => import('./commands/schedules.js')),
      entry('webhooks', 'Show, resend and receive webhooks of jobs', () => import('./commands/webhooks.js')),
    ],
  },
  {
    title: 'This machine:',
    commands: [
      entry('credits', 'Show the balance, or add to it', () => import('./commands/credits.js')),
      entry('usage', 'List the calls and what each cost, newest first', () => import('./commands/usage.js')),
      entry('cache', 'Manage the answer cache', () => import('./commands/cache.js')),
      entry(
        'forget',
        'Delete a person, place or thing from everything that is stored, with a receipt',
        () => import('./commands/forget.js'),
      ),
      entry(
        'suppress',
        'Leave people, places or things out: never requested, never returned',
        () => import('./commands/suppress.js'),
      ),
      entry(
        'doctor',
        'Check this machine and, with --live, the platforms',
        () => import('./commands/doctor.js'),
      ),
      entry('update', 'Look up whether there is a newer version', () => import('./commands/update.js')),
      entry('config', 'Show the settings in force', () => import('./commands/config.js')),
      entry(
        'backup',
        'Back up the data directory to one file, even while a server runs',
        () => import('./commands/backup.js'),
      ),
      entry(
        'restore',
        'Restore the data directory from a backup, or check one',
        () => import('./commands/restore.js'),
      ),
    ],
  },
  {
    title: 'Server:',
    commands: [
      entry('serve', 'Serve the HTTP API from this data directory', () => import('./commands/serve.js')),
      entry('mcp', 'Serve the endpoints as tools for assistants (MCP)', () => import('./commands/mcp.js')),
      entry('skill', 'Show assistants how to use this command', () => import('./commands/skill.js')),
      entry('accounts', 'Manage the accounts of a server', () => import('./commands/accounts.js')),
      entry('keys', 'Manage the API keys of a server', () => import('./commands/keys.js')),
      entry('audit', 'List and export what operators did', () => import('./commands/audit.js')),
      entry('admin', 'Get a link to the admin page of your server', () => import('./commands/admin.js')),
      entry(
        'deploy',
        'Print samples for systemd, containers, proxies and monitoring',
        () => import('./commands/deploy.js'),
      ),
      entry(
        'database',
        'The PostgreSQL database that keeps the state of servers',
        () => import('./commands/database.js'),
      ),
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
      entry(
        'endpoints',
        'List the endpoints, their prices and parameters',
        () => import('./commands/endpoints.js'),
      ),
      entry('errors', 'Explain an error code, or list them all', () => import('./commands/errors.js')),
      entry('completion', 'Print the completion script of a shell', () => import('./commands/completion.js')),
    ],
  },
];
