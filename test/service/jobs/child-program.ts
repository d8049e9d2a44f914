// Jobs in a separate process, started and killed by the tests. It reports its progress line by line.

import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../lib/config.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { readServerConfig } from '../../../src/config/server-config.js';
import { serverLog } from '../../../src/output/log.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { openDirectoryJobs } from '../../../src/service/jobs/sqlite/open-directory-jobs.js';
import { beforeEachStatement } from '../../support/before-each-statement.js';
import { harbourOne, harbours } from '../../support/invented-rows.js';
import { writeLine } from '../../support/write-line.js';

const [task = '', home = '', detail = ''] = process.argv.slice(2);

let writes = 0;
/** Kills the process just before its nth write, whatever is written: a statement, a file, a sync. */
function step(): void {
  if (task === 'script' && ++writes === Number(detail)) process.kill(process.pid, 'SIGKILL');
}

/**
 * The first word of a query decides its end. `slow` takes turns of the event loop, `bad` fails, `hang` never ends.
 * `gate` ends when there is a file of that name.
 */
const ask: CallFunction = async (_, params, { requestId }, signal) => {
  const query = String(params.query);
  if (task === 'serve') writeLine(`requests ${query}`);
  if (query.startsWith('hang')) {
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
  while (query.startsWith('gate') && !existsSync(`${home}/gate`)) {
    signal.throwIfAborted();
    await setTimeout(5);
  }
  if (query.startsWith('slow')) await setTimeout(4);
  else if (task === 'serve') await setImmediate();
  if (query.startsWith('bad')) throw new ExtractError('place_not_found');
  const meta = {
    ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
    ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
  };
  return { source: 'platform', json: JSON.stringify({ echo: query }), meta };
};

async function openAll() {
  const config = readConfig({ home }, {});
  const { ledger, accounts, jobStores, usage } = await openDirectory(home, systemClock, 500);
  const services = { ...openServices(config, { ledger }), docsBase: 'https://docs.example' };
  if (task === 'script') beforeEachStatement(step);
  const jobs = openDirectoryJobs({
    ...{ services, config, ask, endpoints: [harbours, harbourOne] },
    stores: jobStores,
    webhookAllow: ['hooks.example'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...(task === 'serve' ? { ca: readFileSync(detail, 'utf8') } : {}),
    onError: (_, cause) => writeLine(`trouble ${cause}`),
  });
  return { ledger, accounts, usage, services, jobs };
}

/** One job to its end and one that is cancelled, with lines that end out of order. */
async function script(): Promise<void> {
  const { jobs, services, accounts } = await openAll();
  const account = (await accounts.find('customer@example.com'))?.id ?? '';
  const make = async (name: string, queries: readonly string[]) => {
    const inputs = queries.map((query) => JSON.stringify({ query }));
    const { id } = await jobs.store.create(
      {
        ...{ account, key: undefined, endpoint: 'maps/harbours', credits: 3, inputs, webhookUrl: undefined },
        idempotency: { key: name, digest: name },
      },
      (job) => JSON.stringify(job),
    );
    writeLine(`made ${name} ${id}`);
    return id;
  };
  jobs.start();
  const first = await make('first', ['slow0', 'q1', 'bad2', 'q3', 'slow4', 'bad5', 'q6']);
  jobs.wake();
  const ended = async (id: string) => {
    const { lines, total } = await jobs.store.readProgress(account, id);
    return lines === total;
  };
  while (!(await ended(first))) await setImmediate();
  writeLine('ended first');
  const second = await make('second', ['q0', 'hang1', 'bad2', 'hang3', 'q4']);
  jobs.wake();
  while ((await jobs.store.find(account, second)).completed < 2) await setImmediate();
  await jobs.store.cancel(account, second);
  writeLine('cancelled second');
  jobs.wake();
  while (!(await ended(second))) await setImmediate();
  await jobs.stop();
  await services.close();
  writeLine('done');
}

async function serve(): Promise<void> {
  const { jobs, services, accounts, usage } = await openAll();
  const { createApp } = await import('../../../src/faces/server/app.js');
  const { Metrics } = await import('../../../src/faces/server/metrics.js');
  const app = createApp({
    ...{ services, accounts, jobs, usage },
    closing: new AbortController().signal,
    metrics: new Metrics(),
    config: readServerConfig({ rateLimit: 1_000_000, logLevel: 'silent' }, {}),
    log: serverLog('silent', { write: () => undefined }),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  jobs.start();
  writeLine(`port ${(app.server.address() as AddressInfo).port}`);
}

/** One large job, until the process is killed. */
async function many(): Promise<void> {
  const { jobs, accounts } = await openAll();
  const account = (await accounts.find('customer@example.com'))?.id ?? '';
  const inputs = Array.from({ length: Number(detail) }, (_, at) => {
    return JSON.stringify({ query: `${at % 3 === 0 ? 'bad' : ''}q${at}` });
  });
  const { id } = await jobs.store.create(
    {
      ...{ account, key: undefined, endpoint: 'maps/harbours', credits: 3, inputs, webhookUrl: undefined },
      idempotency: undefined,
    },
    () => '',
  );
  writeLine(`made many ${id}`);
  jobs.start();
}

const tasks = { script, serve, many };
await tasks[task as keyof typeof tasks]();
