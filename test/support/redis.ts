import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { argv } from './argv.js';
import { freePort } from './free-port.js';

/** The `skip` of a test that needs Redis: false if it is installed, else the reason. */
export const skipWithoutRedis: string | false =
  spawnSync('redis-server', ['--version']).error === undefined
    ? false
    : 'there is no Redis (apt-get install redis-server)';

/** A Redis for one test, in memory only. */
export interface TestRedis {
  readonly url: string;
  /** Suspended: it accepts requests and does not answer. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Starts a Redis on the given or a free port; the caller stops it. */
export async function startRedis({
  port,
  options = [],
}: {
  readonly port?: number;
  readonly options?: readonly string[];
} = {}): Promise<TestRedis> {
  const serverPort = port ?? (await freePort());
  const fixed = argv`--port ${serverPort} --bind 127.0.0.1 --appendonly no`;
  const running = spawn('redis-server', [...fixed, '--save', '', ...options], { stdio: 'ignore' });
  const kill = () => running.kill('SIGKILL');
  process.once('exit', kill);
  running.unref();
  while (!(await answers(serverPort))) {
    if (running.exitCode !== null) throw new Error(`redis-server ended with status ${running.exitCode}`);
  }
  return {
    url: `redis://127.0.0.1:${serverPort}/0`,
    pause: () => void running.kill('SIGSTOP'),
    resume: () => void running.kill('SIGCONT'),
    async stop() {
      process.off('exit', kill);
      if (running.exitCode !== null || running.signalCode !== null) return;
      running.ref();
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    },
  };
}
