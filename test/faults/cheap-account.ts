// Worker: one account at the limits of its keys, by all roads at once, until the thread is ended. It is sent to `CheapAccount`.
import net from 'node:net';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { pause } from './scenario.js';

/** What the worker is given. */
export interface CheapAccount {
  readonly url: string;
  /** Secrets of its keys, each with a limit of requests of its own. */
  readonly keys: readonly string[];
  /** Receiver of webhooks that never answers. */
  readonly receiver: string;
  /** Connections on which bodies of 15 MB are held back, and those that download. */
  readonly bodies: number;
  readonly downloads: number;
}

/** Requests of each kind that the server took, and those that it refused. */
export type CheapCounts = Record<string, number>;

const { url, keys, receiver, bodies, downloads } = workerData as CheapAccount;
const { port } = new URL(url);
const counts: CheapCounts = {};
const count = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

// Whoever attacks has a machine of his own: this thread takes nothing of what is measured.
os.setPriority(19);

async function ask(key: number, method: 'GET' | 'POST', path: string, body?: string) {
  const answer = await request(url + path, {
    method,
    headers: { authorization: `Bearer ${keys[key % keys.length]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** A job of inputs that are wrong: they are given back at once. */
const wrongJob = (inputs: number, bytes: number, webhook?: string) =>
  JSON.stringify({
    endpoint: 'shortvideo/profile',
    inputs: Array.from({ length: inputs }, () => ({ wrong: 'x'.repeat(bytes) })),
    ...(webhook === undefined ? {} : { webhook_url: webhook }),
  });

/** Does something again and again. What is refused is asked again a little later. */
async function lane(name: string, once: () => Promise<number>): Promise<never> {
  for (;;) {
    const status = await once().catch(() => 0);
    count(status < 300 && status > 0 ? name : `${name} refused`);
    if (status === 0 || status >= 300) await pause(100);
  }
}

const headOf = (key: number, line: string) =>
  `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys[key % keys.length]}\r\n`;

/** Begins a body, and never sends its end; resolves when the server has had enough. */
function holdBody(key: number): Promise<void> {
  const length = 15 * 1024 * 1024;
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), '127.0.0.1', () => {
      const type = `Content-Type: application/json\r\nContent-Length: ${length + 1}\r\n\r\n`;
      socket.write(headOf(key, 'POST /v1/jobs') + type);
      socket.write(Buffer.alloc(length, '['));
    });
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.resume();
  });
}

/** Downloads again and again over one connection, as fast as the server sends, and throws away what comes. */
async function download(key: number, agent: Agent): Promise<number> {
  const answer = await request(`${url}/v1/jobs/${id}/results`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${keys[key % keys.length]}` },
  });
  for await (const _ of answer.body);
  return answer.statusCode;
}

const big = await ask(0, 'POST', '/v1/jobs', wrongJob(250, 12_000));
const { id } = JSON.parse(big.text).data as { readonly id: string };
while (!(await ask(0, 'GET', `/v1/jobs/${id}`)).text.includes('"status":"done"')) await pause(100);
parentPort?.postMessage('ready');

for (const key of [0, 1, 2, 3]) {
  void lane('webhooks', async () => (await ask(key, 'POST', '/v1/jobs', wrongJob(1, 10, receiver))).status);
}
for (const path of ['endpoint=zzz', 'status=ok', 'code=platform_blocked', 'limit=100'].flatMap((filter) => [
  filter,
  filter,
])) {
  void lane('usage', async () => (await ask(4, 'GET', `/v1/usage?${path}`)).status);
}
void lane('full jobs', async () => (await ask(5, 'POST', '/v1/jobs', wrongJob(250, 60_000))).status);
for (const format of ['csv', 'xlsx', 'sqlite', 'parquet']) {
  void lane(
    'files of results',
    async () => (await ask(6, 'GET', `/v1/jobs/${id}/results?format=${format}`)).status,
  );
}
for (let n = 0; n < bodies; n += 1) {
  void lane('bodies', () => holdBody(7).then(() => 200));
}
for (let n = 0; n < downloads; n += 1) {
  const agent = new Agent({ connections: 1 });
  void lane('downloads', () => download(8 + (n % 2), agent));
}
parentPort?.on('message', () => parentPort?.postMessage(counts));
