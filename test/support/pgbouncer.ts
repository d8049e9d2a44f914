import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { asOther } from './postgres-cluster.js';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file));

/** Why no pooler is available; null if one is. */
export const withoutPgbouncer =
  program === undefined ? 'there is no PgBouncer (apt-get install pgbouncer)' : null;

/** Starts a pooler in front of the database of an address, whose host is the folder of its socket. */
export async function startPgbouncer(
  folder: string,
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { hostname, port, pathname } = new URL(url);
  const listenPort = await freePort();
  const file = path.join(folder, `pgbouncer-${listenPort}.ini`);
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: String(listenPort), unix_socket_dir: '', auth_type: 'any' },
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const target = `host=${decodeURIComponent(hostname)} port=${port} dbname=${pathname.slice(1)} user=postgres`;
  writeFileSync(file, `[databases]\npooled = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  const [command, args] = asOther(program ?? '', [file]);
  const child = spawn(command, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (let tries = 0; ; tries += 1) {
    const socket = net.connect(listenPort, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) break;
    if (tries > 200 || child.exitCode !== null) throw new Error('PgBouncer does not listen.');
    await pause(20);
  }
  return {
    url: `postgres://postgres@127.0.0.1:${listenPort}/pooled`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
