import path from 'node:path';
import { type Command, Option } from 'commander';
import { type Config, readConfig } from '../../../lib/config.js';
import { readLogin } from '../../../lib/remote/login.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import type { ToolAccount } from '../../serve-tools.js';
import { type Context, withExtractor } from '../context.js';
import { type Client, type Connection, clients } from '../mcp-clients.js';
import { UsageError } from '../usage-error.js';

/** Stands where a secret belongs, which is not printed. */
const placeholder = '<API_KEY>';

/**
 * The full paths of this very program, as clients are often started without the search path of a shell. A login that
 * the data directory keeps needs no key beside it.
 */
function localProgram(account: ToolAccount, { home, baseUrl }: Config): Connection {
  const needsKey = account === 'key' && readLogin(home) === null;
  return {
    command: process.execPath,
    args: [path.join(packageRoot(), 'bin', 'extract.js'), 'mcp', '--account', account],
    env: {
      ...(home === readConfig({}, {}).home ? {} : { EXTRACT_HOME: path.resolve(home) }),
      ...(needsKey && baseUrl !== undefined ? { EXTRACT_BASE_URL: baseUrl } : {}),
      ...(needsKey ? { EXTRACT_API_KEY: placeholder } : {}),
    },
  };
}

/** Over HTTP there is a key, or a demo. Throws a usage error for an address that is none. */
function remoteServer(account: ToolAccount | undefined, url: string): Connection {
  if (account === 'local') {
    throw new UsageError(
      'conflicting_parameters',
      'A server knows keys, not the account of this machine: leave --account or --url out.',
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

function configurationPlace(client: Client): string {
  const file = client.file();
  return file === null ? 'run' : file;
}

/** `extract mcp install`: what to write where so that a client has the tools. Nothing is written by the command. */
export function addMcpInstall(parent: Command, context: Context): void {
  const command = parent
    .command('install')
    .description('Print the configuration that gives the tools to a client')
    .argument('[client]', `one of ${clients.map(({ id }) => id).join(', ')}; all when left out`)
    .addOption(
      new Option(
        '--account <which>',
        'whose credits the tools spend, as for extract mcp; unless said the key, or without one local',
      ).choices(['demo', 'local', 'key']),
    )
    .option('--url <address>', 'reach a running server instead, such as http://localhost:8787/mcp');
  command.action(async (id: string | undefined) => {
    const { account, url } = command.opts<{ account?: ToolAccount; url?: string }>();
    const connection =
      url === undefined
        ? await withExtractor(context, {}, async ({ config }) =>
            localProgram(account ?? (config.apiKey === undefined ? 'local' : 'key'), config),
          )
        : remoteServer(account, url);
    const known = clients.map((client) => client.id);
    const chosen = id === undefined ? clients : clients.filter((client) => client.id === id);
    if (chosen.length === 0) {
      throw new UsageError(
        'invalid_parameter',
        `There is no client ${JSON.stringify(id)}.`,
        `Clients: ${known.join(', ')}.`,
      );
    }
    const { stdout, stderr } = context;
    for (const client of chosen) {
      const text = client.configuration(connection);
      if (text === null) {
        const note = `${client.name} cannot send a key to a server: leave --url out.\n`;
        await (id === undefined ? stdout : stderr).write(id === undefined ? `# ${note}\n` : note);
      } else if (id === undefined)
        await stdout.write(`# ${client.name}: ${configurationPlace(client)}\n${text}\n`);
      else {
        await stderr.write(`${client.name}: ${configurationPlace(client)}\n`);
        await stdout.write(text);
      }
    }
    if (JSON.stringify(connection).includes(placeholder))
      await stderr.write(`Put your API key in the place of ${placeholder}.\n`);
  });
}
