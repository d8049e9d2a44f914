import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { buildContenders, type Contender, costOf } from '../bench/batch/contenders.js';
import { buildPrograms } from '../bench/build-programs.js';
import { writeLines } from '../bench/outputs/rows.js';
import { buildServer, readCached, startServer } from '../bench/start-server.js';
import { siteApart } from '../support/browser-load.js';
import { fromSource } from '../support/from-source.js';
import { checkMixed, runMixed } from '../support/mixed-batch.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startUpstream, type Upstream } from '../support/upstream.js';

const folder = temporaryFolder();
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
});
after(() => upstream.close());

/** A million of them are run by `npm run bench batch`, which tells its memory too. */
const mix = { count: 10_000, hangEvery: 3331, refusalEvery: 501, timeoutMs: 8000 };

describe('ten thousand inputs over a network', () => {
  test('with errors, hangs and refusals among them come out in order, one line each, in bounded memory', async () => {
    let most = 0;
    const run = await runMixed(mix, {
      folder,
      origin: upstream.origin,
      onLine({ inputs }) {
        if (inputs % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
      },
    });
    await checkMixed(mix, folder, run);
    assert.ok(most < 250 * 1024 * 1024, `${Math.round(most / 1024 / 1024)} MB`);
  });
});

/** Nobody runs them for weeks, and a change elsewhere may keep them from starting. */
describe('each program of the benches is built, starts and answers', () => {
  const run = promisify(execFile);
  const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n').length;
  const source = (name: string) => path.join(packageRoot(), 'test', 'bench', `${name}.ts`);

  test('the batch, and those that it is compared with', async () => {
    const programs = await buildContenders();
    // The upstream of the test before has refused the names of the list, and refuses each once.
    const { origin, close } = await startUpstream();
    after(close);
    const input = path.join(folder, 'few');
    writeFileSync(input, '{"username":"name1"}\n{"username":"name2"}\n');
    // The list of `mixed` is its own, and has an input that hangs and one that is refused among its first ten.
    const counts = { ours: 2, bare: 2, crawlee: 2, mixed: 10 };
    for (const [name, count] of Object.entries(counts) as [Contender, number][]) {
      const output = path.join(folder, name, 'out.ndjson');
      mkdirSync(path.dirname(output));
      const cost = await costOf(programs, name, {
        origin,
        input,
        output,
        concurrency: 2,
        bare: false,
        count,
      });
      assert.equal(cost.rows, count, name);
      // It checks its lines itself.
      if (name !== 'mixed') assert.equal(linesOf(output), count, name);
    }
  });

  test('the server, and those that it is compared with', async () => {
    const program = await buildServer();
    const ours = await startServer(program, 'extract');
    const { body } = await readCached(ours);
    const others = [
      await startServer(program, 'fastify', { body }),
      await startServer(program, 'http', { body }),
    ];
    for (const { port } of others) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/shortvideo/videos`);
      assert.equal(await answer.text(), body);
    }
    for (const { process: child } of [ours, ...others]) child.kill();
  });

  test('the files of results', async () => {
    const programs = await buildPrograms(['outputs/ours', 'outputs/bare']);
    const input = path.join(folder, 'lines');
    await writeLines(input, 2);
    for (const [name, program] of Object.entries(programs)) {
      const output = path.join(folder, `${path.basename(name)}.csv`);
      await run(process.execPath, [program, JSON.stringify({ kind: 'csv', input, output })]);
      // Ours has a header.
      assert.equal(linesOf(output), name === 'outputs/ours' ? 3 : 2, name);
    }
  });

  test('the jobs', async () => {
    const child = fork(source('jobs-program'), ['2'], { execArgv: [...fromSource] });
    // A test that fails must not leave it behind: this process would wait for it.
    after(() => child.kill());
    const [served] = (await once(child, 'message')) as [{ readonly file: string; readonly home: string }];
    assert.equal(linesOf(served.file), 2);
    child.disconnect();
    await once(child, 'exit');
    rmSync(served.home, { recursive: true });
  });

  test('the batches with and without sources', async () => {
    const site = await siteApart('shortvideo/video');
    after(() => site.end());
    const args = [...fromSource, source('sources-program'), 'shortvideo/video', '5'];
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...site.env } });
    assert.ok(JSON.parse(stdout).ratio > 0, stdout);
  });

  test('the ledger', async () => {
    const file = path.join(folder, 'ledger.db');
    const ledger = openLedger(file);
    const at = new Date().toISOString();
    await ledger.grant({ id: 'hot', account: 'hot', credits: 1_000_000_000, kind: 'pack', at });
    await ledger.close();
    const { stdout } = await run(process.execPath, [
      ...fromSource,
      ...[source('ledger-program'), 'sqlite', file, '0.01'],
    ]);
    assert.ok(Number(stdout) > 0, stdout);
  });
});
