import type { Command } from 'commander';
import type { Platform } from '../../../lib/platforms.js';
import type { Context } from './context.js';

/** A command beside those of the table. */
interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /** Gives it its arguments, options and action; loaded when the arguments lead to it, so that no other call waits. */
  readonly load: () => Promise<
    (command: Command, context: Context, wholeProgram: () => Promise<Command>) => void
  >;
}

/** Commands of a platform beside those of the table: what many calls of one endpoint make together. */
export const platformCommands: readonly (CommandEntry & {
  readonly platform: Platform;
  /** The endpoint that it calls. */
  readonly endpoint: string;
})[] = [
  {
    platform: 'maps',
    endpoint: 'maps/places',
    name: 'cover',
    description: 'Find all places of an area with many searches',
    load: async () => (await import('./commands/cover.js')).fillCover,
  },
  {
    platform: 'maps',
    endpoint: 'maps/places',
    name: 'grid',
    description: 'Rank a place at points around it, as a map',
    load: async () => (await import('./commands/grid.js')).fillGrid,
  },
];

/** Commands of the first screen of the help; `--help --all` lists the others, too. */
export const everyday: ReadonlySet<string> = new Set(
  'batch media watch usage doctor config serve mcp login endpoints errors'.split(' '),
);

/** The commands beside those of the table, in the order and under the titles of the help. */
export const commandGroups: readonly {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}[] = [
  {
    title: 'Many inputs:',
    commands: [
      {
        name: 'batch',
        description: 'Run an endpoint for every line of a file',
        load: async () => (await import('./commands/batch.js')).fillBatch,
      },
      {
        name: 'media',
        description: 'Download the pictures and videos of results',
        load: async () => (await import('./commands/media.js')).fillMedia,
      },
      {
        name: 'convert',
        description: 'Write results as a file of another format',
        load: async () => (await import('./commands/convert.js')).fillConvert,
      },
      {
        name: 'verify',
        description: 'Hold results against the archive of their pages',
        load: async () => (await import('./commands/verify.js')).fillVerify,
      },
      {
        name: 'from-archive',
        description: 'Make the results of an archive anew',
        load: async () => (await import('./commands/from-archive.js')).fillFromArchive,
      },
      {
        name: 'watch',
        description: 'Run a batch on a schedule',
        load: async () => (await import('./commands/watch.js')).fillWatch,
      },
      {
        name: 'history',
        description: 'Show what changed over time, or draw it',
        load: async () => (await import('./commands/history.js')).fillHistory,
      },
      {
        name: 'feed',
        description: 'Write what is new and what changed as an Atom or JSON feed',
        load: async () => (await import('./commands/feed.js')).fillFeed,
      },
      {
        name: 'new',
        description: 'Manage what --new remembers of earlier runs',
        load: async () => (await import('./commands/new.js')).fillNew,
      },
      {
        name: 'jobs',
        description: 'Run batch jobs on a server',
        load: async () => (await import('./commands/jobs.js')).fillJobs,
      },
      {
        name: 'schedules',
        description: 'Manage jobs that repeat on a server',
        load: async () => (await import('./commands/schedules.js')).fillSchedules,
      },
      {
        name: 'webhooks',
        description: 'Show, resend and receive webhooks of jobs',
        load: async () => (await import('./commands/webhooks.js')).fillWebhooks,
      },
    ],
  },
  {
    title: 'This machine:',
    commands: [
      {
        name: 'credits',
        description: 'Show the balance, or add to it',
        load: async () => (await import('./commands/credits.js')).fillCredits,
      },
      {
        name: 'usage',
        description: 'List the calls and what each cost, newest first',
        load: async () => (await import('./commands/usage.js')).fillUsage,
      },
      {
        name: 'cache',
        description: 'Manage the answer cache',
        load: async () => (await import('./commands/cache.js')).fillCache,
      },
      {
        name: 'forget',
        description: 'Take a person, place or thing out of all that is kept, with a receipt',
        load: async () => (await import('./commands/forget.js')).fillForget,
      },
      {
        name: 'suppress',
        description: 'Leave people, places or things out: never asked for, never given',
        load: async () => (await import('./commands/suppress.js')).fillSuppress,
      },
      {
        name: 'doctor',
        description: 'Check this machine and, with --live, the platforms',
        load: async () => (await import('./commands/doctor.js')).fillDoctor,
      },
      {
        name: 'update',
        description: 'Look up whether there is a newer version',
        load: async () => (await import('./commands/update.js')).fillUpdate,
      },
      {
        name: 'config',
        description: 'Show the settings in force',
        load: async () => (await import('./commands/config.js')).fillConfig,
      },
      {
        name: 'backup',
        description: 'Back up the data directory to one file, even while a server runs',
        load: async () => (await import('./commands/backup.js')).fillBackup,
      },
      {
        name: 'restore',
        description: 'Restore the data directory from a backup, or check one',
        load: async () => (await import('./commands/backup.js')).fillRestore,
      },
    ],
  },
  {
    title: 'Server:',
    commands: [
      {
        name: 'serve',
        description: 'Serve the HTTP API from this data directory',
        load: async () => (await import('./commands/serve.js')).fillServe,
      },
      {
        name: 'mcp',
        description: 'Serve the endpoints as tools for assistants (MCP)',
        load: async () => (await import('./commands/mcp.js')).fillMcp,
      },
      {
        name: 'skill',
        description: 'Show assistants how to use this command',
        load: async () => (await import('./commands/skill.js')).fillSkill,
      },
      {
        name: 'accounts',
        description: 'Manage the accounts of a server',
        load: async () => (await import('./commands/accounts.js')).fillAccounts,
      },
      {
        name: 'keys',
        description: 'Manage the API keys of a server',
        load: async () => (await import('./commands/keys.js')).fillKeys,
      },
      {
        name: 'audit',
        description: 'List, export and check what operators did',
        load: async () => (await import('./commands/audit.js')).fillAudit,
      },
      {
        name: 'admin',
        description: 'Get a link to the admin page of your server',
        load: async () => (await import('./commands/admin.js')).fillAdmin,
      },
      {
        name: 'deploy',
        description: 'Print samples for systemd, containers, proxies and monitoring',
        load: async () => (await import('./commands/deploy.js')).fillDeploy,
      },
      {
        name: 'database',
        description: 'The PostgreSQL database that keeps the state of servers',
        load: async () => (await import('./commands/database.js')).fillDatabase,
      },
      {
        name: 'login',
        description: 'Use a server from now on; asks for its API key',
        load: async () => (await import('./commands/login.js')).fillLogin,
      },
      {
        name: 'logout',
        description: 'Forget the server and its key; commands run on this machine again',
        load: async () => (await import('./commands/login.js')).fillLogout,
      },
    ],
  },
  {
    title: 'Reference:',
    commands: [
      {
        name: 'endpoints',
        description: 'List the endpoints, their prices and parameters',
        load: async () => (await import('./commands/endpoints.js')).fillEndpoints,
      },
      {
        name: 'errors',
        description: 'Explain an error code, or list them all',
        load: async () => (await import('./commands/errors.js')).fillErrors,
      },
      {
        name: 'completion',
        description: 'Print the completion script of a shell',
        load: async () => (await import('./commands/completion.js')).fillCompletion,
      },
    ],
  },
];
