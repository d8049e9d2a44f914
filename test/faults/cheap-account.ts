// Worker: one account uses everything its keys allow, in every way at the same time, until the thread is terminated. It
// is sent to `CheapAccount`.
import net from 'node:net';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { pause } from './scenario.js';

/** The worker's input. */
export interface CheapAccount {
  readonly url: string;
  /** Secrets of its keys, each with its own request limit. */
  readonly keys: readonly string[];
  /** Receiver of webhooks that never answers. */
  readonly receiver: string;
  /** Number of connections that hold back bodies of 15 MB, and of those that download. */
  readonly bodies: number;
  readonly downloads: number;
}

/** Commands to the worker, which starts paused. It replies with its counts once a command has taken effect. */
export type CheapOrder = 'work' | 'rest';

/** Requests of each kind that the server accepted, and those that it refused. */
export type CheapCounts = Record<string, number>;

const { url, keys, receiver, bodies, downloads } = workerData as CheapAccount;
const { port } = new URL(url);
const counts: CheapCounts = {};
const count = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

// An attacker uses a separate machine: this thread must not slow what is measured. Real-time priority is no
// alternative: it keeps a processor from the kernel threads that flush the disk, for 50 ms and longer (measured
// 2026-11).
os.setPriority(19);

async function ask(key: number, method: 'GET' | 'POST', path: string, body?: string, accept = '*/*') {
  const answer = await request(url + path, {
    method,
    headers: {
      authorization: `Bearer ${keys[key % keys.length]}`,
      'content-type': 'application/json',
      accept,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** A job of invalid inputs, which are refunded immediately. */
const wrongJob = (inputs: number, bytes: number, webhook?: string) =>
  JSON.stringify({
    endpoint: 'shortvideo/profile',
    inputs: Array.from({ length: inputs }, () => ({ wrong: 'x'.repeat(bytes) })),
    ...(webhook === undefined ? {} : { webhook_url: webhook }),
  });

/**
 * Approximate milliseconds until a refused request is retried: sooner than the server says, but not as fast as
 * possible.
 */
const refusedMs = 1_000;
/** All its connections at the same moment are more than its limits allow in any other. */
const pauseAbout = (ms: number) => pause(ms * (0.5 + Math.random()));

let isAtWork = false;
/** Held bodies leave no room for another: they start after a full job. */
let hadFullJob = false;
/** Unfinished requests. */
let underWay = 0;

/** Repeats an action while the worker is not paused. Refused requests are retried a little later. */
async function lane(name: string, once: () => Promise<number>, may = () => true): Promise<never> {
  for (;;) {
    while (!isAtWork || !may()) await pauseAbout(200);
    underWay += 1;
    const status = await once().catch(() => 0);
    underWay -= 1;
    const isTaken = status >= 200 && status < 300;
    count(isTaken ? name : `${name} refused`);
    if (!isTaken) await pauseAbout(refusedMs);
  }
}

const headOf = (key: number, line: string) =>
  `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys[key % keys.length]}\r\n`;

/** The part of a body that is sent: all but its end. */
const payload = Buffer.alloc(15 * 1024 * 1024, '[');
const holding = new Set<net.Socket>();

/**
 * Sends a body without its end. Resolves with 200 when the server gives up, or with the status of its refusal; 0 if
 * that is lost because the server closes an unread connection.
 */
function holdBody(key: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), '127.0.0.1', () => {
      const type = `Content-Type: application/json\r\nContent-Length: ${payload.length + 1}\r\n\r\n`;
      socket.write(headOf(key, 'POST /v1/jobs') + type);
      socket.write(payload);
    });
    holding.add(socket);
    let status = 0;
    socket.on('data', (answer: Buffer) => {
      status = Number(answer.subarray(9, 12).toString()) || status;
    });
    socket
      .on('error', () => undefined)
      .once('close', () => {
        holding.delete(socket);
        resolve(status === 408 ? 200 : status);
      });
  });
}

/** Downloads repeatedly over one connection, as fast as the server sends, and discards the data. */
async function download(key: number, agent: Agent): Promise<number> {
  const answer = await request(`${url}/v1/jobs/${id}/results`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${keys[key % keys.length]}` },
  });
  for await (const _ of answer.body);
  return answer.statusCode;
}

/** Makes the job whose results are downloaded: its schedules, which are due, may hold all its credits for a moment. */
async function makeBig(): Promise<string> {
  for (;;) {
    const { status, text } = await ask(0, 'POST', '/v1/jobs', wrongJob(250, 12_000));
    if (status === 202) return JSON.parse(text).data.id as string;
    await pause(refusedMs);
  }
}

const id = await makeBig();
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
void lane('full jobs', async () => {
  const { status } = await ask(5, 'POST', '/v1/jobs', wrongJob(250, 60_000));
  hadFullJob = true;
  return status;
});
for (const format of ['csv', 'xlsx', 'sqlite', 'parquet']) {
  void lane(
    'files of results',
    async () => (await ask(6, 'GET', `/v1/jobs/${id}/results?format=${format}`)).status,
  );
}
const hello = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'cheap', version: '1' } },
});
const accept = 'application/json, text/event-stream';
for (const path of [
  ...['/dashboard', '/sign-in', '/docs', '/docs/endpoints/maps/places', '/docs/search?q=credits'],
  ...['/nothing', '/dashboard/nothing', '/openapi.json', '/openapi.yaml', '/status'],
]) {
  void lane('pages', async () => (await ask(9, 'GET', path)).status);
}
for (const key of keys.keys()) {
  void lane('sessions', async () => (await ask(key, 'POST', '/mcp', hello, accept)).status);
}
for (let n = 0; n < bodies; n += 1) {
  void lane(
    'bodies',
    () => holdBody(7),
    () => hadFullJob,
  );
}
for (let n = 0; n < downloads; n += 1) {
  const agent = new Agent({ connections: 1 });
  void lane('downloads', () => download(8 + (n % 2), agent));
}
parentPort?.on('message', async (order: CheapOrder) => {
  if (order === 'rest') hadFullJob = false;
  isAtWork = order === 'work';
  while (order === 'rest' && underWay > 0) {
    for (const socket of holding) socket.destroy();
    await pause(20);
  }
  parentPort?.postMessage(counts);
});
