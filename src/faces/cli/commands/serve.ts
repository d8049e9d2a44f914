import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { readHostingConfig } from '../../../config/hosting-config.js';
import { isLoopback } from '../../../config/loopback.js';
import {
  type Role,
  readServerConfig,
  type ServerConfig,
  serverRoles,
  trustedProxies,
} from '../../../config/server-config.js';
import { allowDiskThreads, commandPrefix } from '../../../config/surroundings.js';
import { type Context, untilAborted, withExtractor } from '../context.js';
import { port } from '../number-arguments.js';
import { UsageError } from '../usage-error.js';

function roles(text: string): readonly Role[] {
  try {
    return serverRoles(text, 'It');
  } catch (cause) {
    throw new InvalidArgumentError((cause as Error).message);
  }
}

/** The first steps of an operator; `extract` is the command that reaches this server's data. */
const firstSteps = (extract: string) => `There are no accounts yet. Create one:
  ${extract} server accounts create --email you@example.com --verified
Then create a key for it, whose secret is shown once:
  ${extract} server keys create --email you@example.com --name first
`;

/** Rejects settings that let other machines reach a server without keys. */
function requireLoopback({ host, trustProxy, roles }: ServerConfig): void {
  if (isLoopback(host) && trustProxy.length === 0 && roles.length === 2) return;
  throw new UsageError(
    'conflicting_parameters',
    '--local only serves this machine: on 127.0.0.1, ::1 or localhost, without a proxy, and in one process.',
    'Omit --host, --trust-proxy and --role, and unset their settings.',
  );
}

/** `extract serve`: serves the HTTP API until a signal stops it. */
export function defineCommand(command: Command, context: Context): void {
  command
    .option('--host <address>', 'address to listen on (EXTRACT_HOST, 127.0.0.1)')
    .option('--port <number>', 'port to listen on (EXTRACT_PORT, 8787)', port)
    .option(
      '--trust-proxy [addresses]',
      'trust X-Forwarded-For of these proxies; without addresses: of private networks',
    )
    .option(
      '--role <roles>',
      'role among several servers on one database: api, worker or both (EXTRACT_ROLE, api,worker)',
      roles,
    )
    .option('--local', 'Only serve this machine: no accounts, no keys, no dashboard');
  command.action(async () => {
    allowDiskThreads();
    // Results and other files are readable by the owner only.
    process.umask(0o077);
    const { host, port: number, trustProxy, role, local = false } = command.opts();
    const proxies =
      trustProxy === undefined ? undefined : trustedProxies(trustProxy === true ? 'true' : trustProxy);
    const server = readServerConfig({
      ...{ host, port: number, roles: role },
      ...(proxies && { trustProxy: proxies }),
    });
    if (local) requireLoopback(server);
    const hosting = readHostingConfig();
    const [{ serve }, { BoundedLog }] = await Promise.all([
      import('../../../compose/serve.js'),
      import('../../../output/bounded-log.js'),
    ]);
    await withExtractor(context, {}, async ({ config }) => {
      const log = new BoundedLog((line) => context.stdout.write(line), systemClock);
      const running = await serve({ config, server, hosting, log, local, signal: context.signal });
      // A closed stderr does not stop the server.
      const writeNote = (text: string) => context.stderr.write(text).catch(() => undefined);
      await writeNote(`Listening on ${running.url}\n`);
      if (local) await writeNote('Only this machine can connect; no keys are needed.\n');
      if (running.adminLink !== null) await writeNote(`Admin page, once: ${running.adminLink}\n`);
      if (running.isNew) await writeNote(firstSteps(commandPrefix()));
      await untilAborted(context.signal);
      await running.stop();
    });
  });
}
