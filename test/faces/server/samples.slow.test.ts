// Runs every sample of the documentation unchanged against a server: curl, Node.js and Python.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { load } from 'cheerio';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { signWebhook } from '../../../lib/webhook.js';
import type { SqliteJobs } from '../../../src/service/jobs/sqlite/sqlite-jobs.js';
import { freePort } from '../../support/free-port.js';
import { fromSource } from '../../support/from-source.js';
import { testServer } from '../../support/server.js';
import { finishCancelled } from '../../support/server-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const server = await testServer({
  publicAddress: base,
  config: { demoRateLimit: 10_000, rateLimit: 10_000 },
});
await server.app.listen({ host: '127.0.0.1', port });
const { secret } = await server.account({ credits: 50_000 });

/**
 * Finds Python even if it is not on PATH. Asks it for its executable, because `python3` may be a script that chooses
 * one.
 */
const python = ['python3', '/usr/bin/python3', '/usr/local/bin/python3']
  .map((name) => spawnSync(name, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }))
  .find(({ status }) => status === 0)
  ?.stdout.trim();
const env = {
  ...process.env,
  ...{ EXTRACT_API_KEY: secret, PYTHONDONTWRITEBYTECODE: '1' },
  PYTHONPATH: path.join(packageRoot(), 'clients', 'python', 'src'),
};

interface Sample {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

async function samplesOf(page: string): Promise<Sample[]> {
  const $ = load((await server.ask(page)).text);
  return $('pre code')
    .toArray()
    .map((element) => ({ page, language: $(element).attr('data-language') ?? '', text: $(element).text() }));
}

async function allSamples(): Promise<Sample[]> {
  const { text } = await server.ask('/llms.txt');
  const pages = [...text.matchAll(/\]\((\S+)\.md\): /g)].map(([, link = '']) => new URL(link).pathname);
  return (await Promise.all(pages.map(samplesOf))).flat();
}

const samples = await allSamples();
const isReceiver = ({ text }: Sample) => /^(?:\/\/|#) receiver\./.test(text);
const runnable = samples.filter((sample) => !isReceiver(sample));

/** Commands that change the machine or its databases. Others hold them: test/deploy, test/compose/database-import. */
const ofOperator = /^(?:export \S+\n)?(?:[A-Z_]+=\S+ )?(?:extract|npm i|createdb|pg_dump|helm) /;

/** Runs a sample of a language, once the previous one has ended. Returns its output. */
type Run = (text: string) => Promise<string>;

/** What runs the samples of a language: a shell for each, or one program for all, as starting one takes long. */
function started(language: string): Run {
  if (language === 'sh')
    return async (text) => (await run('bash', ['-euo', 'pipefail', '-c', text], { env, cwd: folder })).stdout;
  const [program, file] = language === 'js' ? [process.execPath, 'run.mjs'] : [String(python), 'run.py'];
  const script = path.join(import.meta.dirname, 'sample-programs', file);
  const child = spawn(program, [script], { env, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (text) => {
    child.stdin.write(`${JSON.stringify(text)}\n`);
    const { value, done } = await lines.next();
    assert.ok(done !== true, `the program of ${language} has ended:\n${text}`);
    const { out, failure } = JSON.parse(value) as { readonly out: string; readonly failure?: string | null };
    if (typeof failure === 'string') throw new Error(`Command failed: ${failure}`);
    return out;
  };
}

/** What a sample wrote, once it has ended well. */
async function output({ text }: Sample, run: Run): Promise<string> {
  const running = run(text);
  return text.includes('finished_at') ? whileJobsEnd(running) : running;
}

const runner = server.jobs.store as SqliteJobs;

/** Ends the jobs that a program creates and waits for, because no runner works on them here. */
async function whileJobsEnd<T>(running: Promise<T>): Promise<T> {
  let isOver = false;
  const over = running.finally(() => {
    isOver = true;
  });
  // The caller reports its failure.
  over.catch(() => undefined);
  while (!isOver) {
    for (const { id, account } of await runner.listUnfinished()) {
      await runner.cancel(account, id).catch(() => undefined);
      await finishCancelled(server.jobs, id);
    }
    await Promise.race([over.catch(() => undefined), setTimeout(50)]);
  }
  return over;
}

for (const language of ['sh', 'js', 'python']) {
  const skip = language === 'python' && python === undefined ? 'Python is not installed' : false;
  test(`the samples in ${language} do what they say`, { skip }, async () => {
    const chosen = runnable.filter(
      (sample) => sample.language === language && !ofOperator.test(sample.text) && isInstalled(sample),
    );
    assert.ok(chosen.length > 30, `${chosen.length}`);
    const run = started(language);
    for (const sample of chosen) {
      const text = await output(sample, run).catch((error: Error) => error.message);
      const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
      assert.deepEqual(codes, failing(sample), `${sample.page}\n${sample.text}\n${text}`);
      // Python's samples print the code in their own format.
      if (asksOfRunningJob(sample) && language === 'python') assert.match(text, /job_not_finished: /);
      else if (revokesLink(sample) && language === 'python') assert.match(text, /link_not_found: /);
      else if (codes.length === 0) assert.doesNotMatch(text, /Command failed/);
    }
  });
}

/** Packages that a sample needs and this machine's Python has not. */
const missingPackages = ['requests', 'pandas'].filter(
  (name) => python === undefined || spawnSync(python, ['-c', `import ${name}`]).status !== 0,
);
const isInstalled = ({ text }: Sample) => !missingPackages.some((name) => text.includes(`import ${name}`));

/** Samples that show a failure: what is missing there, a platform or a link that this server has not, and a job that has not ended. */
function failing({ page, language, text }: Sample): readonly string[] {
  if (language === 'sh' && text.includes('username=nasa"')) return ['platform_unavailable'];
  if (page.endsWith('/errors-and-retries') && language === 'sh') return ['missing_parameter'];
  if (revokesLink({ text }) && language !== 'python') return ['link_not_found'];
  return asksOfRunningJob({ text }) && language !== 'python' ? ['job_not_finished'] : [];
}

/** The samples of deliveries create a job, and send their request before it has ended. */
const asksOfRunningJob = ({ text }: Pick<Sample, 'text'>) => text.includes('redeliver');

/** The samples that revoke a link name one that was never made. */
const revokesLink = ({ text }: Pick<Sample, 'text'>) => text.includes('/links/link_');

test('the commands of the guides exist, with the options that they show', async () => {
  const lines = samples
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.replace(/^(?:[A-Z_]+=\S+ )+/, '').replace(/ [>#].*$/, ''))
    .filter((line) => line.startsWith('extract '));
  const guides = readdirSync(path.join(packageRoot(), 'docs')).map((name) =>
    readFileSync(path.join(packageRoot(), 'docs', name), 'utf8'),
  );
  const quoted = guides
    .flatMap((text) => [...text.matchAll(/`(extract [a-z][^`|]*)`/g)].map(([, line = '']) => line))
    .filter((line) => !/[…]/.test(line));
  const programs = [...new Set([...lines, ...quoted])];
  assert.ok(programs.length > 15);
  const { extract } = await import('../../support/cli.js');
  for (const line of programs) {
    const words = line.split(/\s+/).slice(1);
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? word);
    const end = words.findIndex((word) => /^-|[.$…_A-Z0-9]/.test(word));
    const plain = end > 0 ? words.slice(0, end) : words;
    let helped = await extract([...plain, '--help', '--all']);
    if (helped.status !== 0) helped = await extract([...plain.slice(0, -1), '--help', '--all']);
    assert.equal(helped.status, 0, line);
    for (const option of options) assert.ok(helped.out.includes(option), `${line}: ${option}`);
  }
});

describe('the receivers of webhooks', () => {
  const signing = `whsec_${'a'.repeat(40)}`;
  const body = '{"id":"job_1","status":"done"}';

  async function check(program: string, args: readonly string[]): Promise<void> {
    const listening = await freePort();
    const child = spawn(program, args, {
      cwd: packageRoot(),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, PORT: String(listening), EXTRACT_WEBHOOK_SECRET: signing },
    });
    const ended = once(child, 'exit');
    after(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const send = (signature: string) => {
      const headers = { 'extract-signature': signature };
      return fetch(`http://127.0.0.1:${listening}/`, { method: 'POST', body, headers });
    };
    const now = Math.floor(Date.now() / 1000);
    const good = signWebhook([`whsec_${'b'.repeat(40)}`, signing], now, body);
    let first: Response | null = null;
    while (first === null) {
      assert.equal(child.exitCode, null);
      first = await send(good).catch(() => null);
      if (first === null) await setTimeout(30);
    }
    assert.equal(first.status, 204);
    const other = signWebhook([`whsec_${'c'.repeat(40)}`], now, body);
    for (const wrong of [signWebhook([signing], now - 301, body), other, ''])
      assert.equal((await send(wrong)).status, 401);
  }

  const receiver = (language: string) =>
    samples.find((sample) => sample.language === language && isReceiver(sample));

  test('in JavaScript accepts signed deliveries only', async () => {
    const file = path.join(folder, 'receiver.mjs');
    const entry = path.join(packageRoot(), 'lib/webhook-entry.ts');
    const text = String(receiver('js')?.text).replace("'public-extract/webhook'", JSON.stringify(entry));
    writeFileSync(file, text);
    await check(process.execPath, [...fromSource, file]);
  });

  test('in Python too', { skip: python === undefined ? 'Python is not installed' : false }, async () => {
    const file = path.join(folder, 'receiver.py');
    writeFileSync(file, String(receiver('python')?.text));
    await check(String(python), [file]);
  });
});
