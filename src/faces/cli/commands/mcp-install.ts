import path from 'node:path';
import { type Command, Option } from 'commander';
import { type Config, readConfig } from '../../../../lib/config.js';
import type { Platform } from '../../../../lib/platforms.js';
import { readLogin } from '../../../../lib/remote/login.js';

import { programCommand } from '../../../../lib/runtime/program-command.js';

import type { ToolAccount } from '../../../compose/serve-tools.js';
import { type Context, configOf } from '../context.js';
import { type Client, type Connection, clients } from '../mcp-clients.js';
import { writeEntry } from '../mcp-write.js';
import { addPlatformsOption } from '../platforms-option.js';
import { UsageError, unknownWord } from '../usage-error.js';

/** Printed instead of a secret. */
const placeholder = '<API_KEY>';

/** Describes this program. A login in the data directory needs no other key. */
function localProgram(
  chosenAccount: ToolAccount | undefined,
  { home, baseUrl, apiKey }: Config,
  platforms: readonly Platform[] | undefined,
): Connection {
  const account = chosenAccount ?? (apiKey === undefined ? 'local' : 'key');
  const needsKey = account === 'key' && readLogin(home) === null;
  const { command, args } = programCommand();
  return {
    command,
    args: [
      ...args,
      'mcp',
      '--account',
      account,
      ...(platforms === undefined ? [] : ['--platforms', platforms.join(',')]),
    ],
    env: {
      ...(home === readConfig({}, {}).home ? {} : { EXTRACT_HOME: path.resolve(home) }),
      ...(needsKey && baseUrl !== undefined ? { EXTRACT_BASE_URL: baseUrl } : {}),
      ...(needsKey ? { EXTRACT_API_KEY: placeholder } : {}),
    },
  };
}

function remoteServer(account: ToolAccount | undefined, url: string): Connection {
  if (account === 'local') {
    throw new UsageError(
      'conflicting_parameters',
      'A server uses keys, not the account of this machine: omit --account or --url.',
    );
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(
      'invalid_parameter',
      'The server’s address must be a URL.',
      'Such as http://localhost:8787/mcp',
    );
  }
  return { url, key: account === 'demo' ? undefined : placeholder };
}

function configurationTarget(client: Client): string {
  const file = client.file();
  return file === null ? 'run' : file;
}

interface InstallOptions {
  readonly account?: ToolAccount;
  readonly url?: string;
  readonly write?: boolean;
  readonly platforms?: readonly Platform[];
}

/** Writes the entry to a client's file, with the configured key if the entry needs one. */
async function writeFor(context: Context, client: Client, connection: Connection): Promise<void> {
  const [file, entry] = [client.file(), client.configuration(connection)];
  if (file === null || entry === null) {
    throw new UsageError(
      'invalid_parameter',
      entry === null
        ? `${client.name} cannot send a key to a server: omit --url.`
        : `${client.name} is configured with its own command: omit --write to see it.`,
    );
  }
  const key = entry.includes(placeholder) ? (await configOf(context)).apiKey : '';
  if (key === undefined) {
    throw new UsageError(
      'missing_api_key',
      'The entry needs an API key: set EXTRACT_API_KEY for this command.',
    );
  }
  const backup = await writeEntry(file, entry.replaceAll(placeholder, key));
  await context.stderr.write(`${client.name}: wrote ${file}.\n`);
  if (backup !== null) await context.stderr.write(`Backup of the original: ${backup}\n`);
  await context.stderr.write(`Restart ${client.name} to load the tools.\n`);
}

/** `extract mcp install`: prints a client's configuration for the tools; `--write` installs it. */
export function addMcpInstall(parent: Command, context: Context): void {
  const command = parent
    .command('install')
    .description('Print the tool configuration for a client, or write it')
    .argument('[client]', `one of ${clients.map(({ id }) => id).join(', ')}; default: all`)
    .addOption(
      new Option(
        '--account <which>',
        'account for the tools, as for extract mcp; default: the key if there is one, otherwise local',
      ).choices(['demo', 'local', 'key']),
    )
    .option('--url <address>', 'use a running server instead, such as http://localhost:8787/mcp')
    .option('--write', 'Write the entry to the client’s file, and keep a backup of the file');
  addPlatformsOption(command);
  command.action(async (id: string | undefined) => {
    const { account, url, write, platforms } = command.opts<InstallOptions>();
    if (write === true && id === undefined) {
      throw new UsageError(
        'missing_parameter',
        'Name the client whose file to write.',
        'For example: extract mcp install cursor --write',
      );
    }
    const connection =
      url === undefined
        ? localProgram(account, await configOf(context), platforms)
        : remoteServer(account, url);
    const selection = id === undefined ? clients : clients.filter((client) => client.id === id);
    const clientIds = clients.map((client) => client.id);
    if (selection.length === 0) throw unknownWord('client', id ?? '', clientIds);
    const { stdout, stderr } = context;
    if (write === true) return writeFor(context, selection[0] as Client, connection);
    for (const client of selection) {
      const text = client.configuration(connection);
      if (text === null) {
        const note = `${client.name} cannot send a key to a server: omit --url.\n`;
        await (id === undefined ? stdout : stderr).write(id === undefined ? `# ${note}\n` : note);
      } else if (id === undefined)
        await stdout.write(`# ${client.name}: ${configurationTarget(client)}\n${text}\n`);
      else {
        await stderr.write(`${client.name}: ${configurationTarget(client)}\n`);
        await stdout.write(text);
      }
    }
    if (JSON.stringify(connection).includes(placeholder))
      await stderr.write(`Replace ${placeholder} with your API key.\n`);
  });
}
