import assert from 'node:assert/strict';
import { cpSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeLogin } from '../../../lib/remote/login.js';
import { assertBooks, assertJob, type Home, newHome, storedLines } from '../books.js';
import { Client, load } from '../client.js';
import { harms } from '../harms.js';
import type { Platform } from '../platform.js';
import type { Program, Serving } from '../program.js';
import { pause, type Scenario, until } from '../scenario.js';

function filesOf(home: string): string[] {
  return readdirSync(home, { recursive: true })
    .map(String)
    .filter((name) => lstatSync(path.join(home, name)).isFile())
    .sort();
}

/** Only the file cases create this: a logged-in user queries that server, not this machine. */
const loginFile = 'login.json';
const finishedNames = Array.from({ length: 150 }, (_, at) => `done${at}`);
/** Files that cannot be recreated automatically, and whose loss may stop a program. */
const irreplaceable = /^(ledger\.db|cursor\.key|login\.json)/;
/** Damage that pauses the jobs until the operator follows the instructions in the log. */
const isHold = (file: string, harm: string) =>
  /^jobs\//.test(file) && (harm === 'unreadable' || harm === 'a directory');

/** Rows of results carry sums; a single bit of another database may be any letter of a name. */
const isResults = (file: string) => /^results\.db/.test(file);
const isCase = (file: string, harm: string) => harm !== 'a bit another' || isResults(file);

/** Jobs of a data directory: a finished one with its lines, and one that was running. */
interface Jobs {
  readonly done: string;
  readonly lines: string;
  readonly open: string;
}

interface Surroundings {
  readonly program: Program;
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A data directory with a bit of everything, whose server was killed while working, so its logs are ahead of its files.
 */
async function lived(
  home: Home,
  names: readonly string[],
  surroundings: Surroundings,
  random: () => number,
): Promise<Jobs> {
  const { program, platform, env } = surroundings;
  const list = path.join(home.home, '..', 'names.txt');
  writeFileSync(list, 'new1\nnew2\n');
  const out = path.join(home.home, '..', 'new.ndjson');
  const newRun = ['batch', 'shortvideo/profile', list, '-o', out, '--new', 'daily'];
  const result = await program.run(home.home, newRun, { env });
  assert.equal(result.status, 0, result.err);
  const serving = await program.serve(home.home, { env });
  const maker = new Client(serving.url, home.secret);
  const done = (await maker.job('done', finishedNames)) ?? '';
  await assertJob(maker, done, finishedNames);
  const lines = await maker.text(`/v1/jobs/${done}/results`);
  const asking = load(maker, 4, random);
  // Signing in writes a mail.
  await fetch(`${serving.url}/sign-in`).catch(() => undefined);
  platform.mood = 'slow';
  const open = (await maker.job('job', names)) ?? '';
  await pause(2_500);
  await asking.stop();
  serving.child.kill('SIGKILL');
  await serving.ended;
  await maker.close();
  platform.mood = 'answers';
  return { done, lines, open };
}

/** The platform returns the same object for each name, so a line with damaged bytes differs from the others. */
function assertAlike(text: string, what: string): void {
  const answers = new Set(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(JSON.parse(line).input.username, 'name')),
  );
  assert.equal(answers.size, 1, `${what}: ${[...answers].join('\n')}`);
}

/**
 * Checks that the results of a finished job are as written, or refused with the name of the file. Returns true if they
 * are as written.
 */
async function assertFinished(client: Client, { done, lines }: Jobs, what: string): Promise<boolean> {
  const text = await client.text(`/v1/jobs/${done}/results`);
  if (text === lines) return false;
  const { error } = JSON.parse(text) as { error: { code: string; message: string } };
  assert.equal(error.code, 'internal_error', `${what}: ${text}`);
  assert.match(error.message, /results(\.db| of job_).*(backup|permissions|disk|locked|limit|cause)/i, what);
  return true;
}

/** A readable error: it names the damage and says what to do, without a stack trace. */
function assertNamed(text: string, file: string, what: string): void {
  const detail = `${what}: ${text}`;
  const name = path.basename(file).replace(/-(wal|shm|journal)$/, '');
  const words: Readonly<Record<string, RegExp>> = {
    'ledger.db': /ledger/,
    'runner.lock': /runner\.lock/,
    'state.db': /state file|state\.db/,
    'pace.db': /pace/,
  };
  assert.match(text, words[name] ?? new RegExp(name.replaceAll('.', '\\.')), detail);
  assert.match(text, /backup|delete|move|remove|check|correct|logout|rights|permissions/i, detail);
  assert.doesNotMatch(text, /^\s+at /m, detail);
}

/** Commands on a damaged directory: `doctor`, a call, and those that read what runs remember. */
async function assertCommands(
  home: string,
  file: string,
  what: string,
  surroundings: Surroundings,
): Promise<number> {
  const { program, env } = surroundings;
  let namedCount = 0;
  const commands = [
    ['doctor', '--json'],
    ['shortvideo', 'profile', 'known1', '--json'],
    ['new', 'list', '--json'],
  ];
  for (const args of commands) {
    const { status, out, err } = await program.run(home, args, { env });
    const detail = `${what}, extract ${args.join(' ')}: ${status} ${err}${out}`;
    assert.ok(status !== null && !/An unexpected error occurred|TypeError|at file:/.test(err + out), detail);
    if (args[0] === 'doctor') {
      const findings: { status: string; message: string; next: string | null }[] = JSON.parse(out).data ?? [];
      assert.ok(findings.length > 5, detail);
      for (const { status: one, next } of findings) assert.ok(one === 'ok' || next !== null, detail);
    } else if (status !== 0 && !/127\.0\.0\.1:9 could not be reached/.test(err + out)) {
      namedCount += 1;
      assertNamed(err + out, file, detail);
    }
  }
  return namedCount;
}

/**
 * Damages every file of a data directory in every way. The program either works, or says what is damaged and what to
 * do.
 */
export const corruption: Scenario = {
  name: 'corruption',
  about: `every file of a data directory is damaged in ${Object.keys(harms).length} ways`,
  async run({ folder, ms, program, platform, random }) {
    const home = await newHome(path.join(folder, 'home'));
    const surroundings = { program, platform, env: { ...platform.env, EXTRACT_BROWSER: 'never' } };
    const names = Array.from({ length: 300 }, (_, at) => `job${at}`);
    const jobs = await lived(home, names, surroundings, random);
    const files = [...filesOf(home.home), loginFile];
    const end = performance.now() + ms;
    let [cases, worked, refused, commands, namedCount] = [0, 0, 0, 0, 0];
    const broken: string[] = [];
    const all = files
      .flatMap((file) => Object.keys(harms).map((harm) => ({ file, harm })))
      .filter(({ file, harm }) => isCase(file, harm));
    // Results have many files, of which few are touched by a case that was drawn for all alike.
    const early = (file: string) => (isResults(file) ? 0.5 : 1);
    const order = all.map((one) => ({ one, at: random() * early(one.file) })).sort((a, b) => a.at - b.at);
    const assertCase = async (file: string, harm: string): Promise<void> => {
      const copy = { ...home, home: path.join(folder, `case${cases}`) };
      cpSync(home.home, copy.home, { recursive: true });
      if (file === loginFile) {
        writeLogin(copy.home, { baseUrl: 'http://127.0.0.1:9/v1', apiKey: home.secret });
      }
      harms[harm]?.(path.join(copy.home, file), random);
      const what = `${file}, ${harm}`;
      const serving = await program
        .serve(copy.home, { env: surroundings.env })
        .catch((error: Error) => error);
      if (serving instanceof Error) {
        refused += 1;
        assertNamed(serving.message, file, what);
        // Only what cannot be recreated may stop a server.
        assert.match(file, irreplaceable, `${what}: ${serving.message}`);
      } else {
        worked += 1;
        await assertServer(serving, copy, { file, harm });
      }
      commands += await assertCommands(copy.home, file, what, surroundings);
      rmSync(copy.home, { recursive: true });
    };
    const assertServer = async (
      serving: Serving,
      copy: Home,
      { file, harm }: { readonly file: string; readonly harm: string },
    ): Promise<void> => {
      const what = `${file}, ${harm}`;
      const client = new Client(serving.url, home.secret);
      // A lost log loses its last entries, possibly including the key. The remaining books must still balance.
      const isOldLog = file.startsWith('ledger.db');
      const health = await client.get('/healthz');
      assert.equal(health.status, 200, `${what}: ${JSON.stringify(health.body)}`);
      if (!isOldLog) {
        for (let count = 0; count < 5; count += 1) {
          const answer = await client.profile(`known${count}`);
          assert.equal(answer?.status, 200, `${what}: ${answer?.code}`);
        }
        const isRefused = await assertFinished(client, jobs, what);
        if (isRefused) namedCount += 1;
        if (isHold(file, harm)) {
          await until(`${what} is told`, 20_000, () => /cannot be (used|taken)/.test(serving.output()));
          assert.ok(
            serving.output().includes(path.basename(file).replace(/-journal$/, '')),
            serving.output(),
          );
          rmSync(path.join(copy.home, file), { recursive: true, force: true });
        }
        // A job needs its lines to continue: without them it waits for the operator.
        if (!isResults(file)) {
          await assertJob(client, jobs.open, names, { home: copy.home });
          assertAlike(storedLines(copy.home, jobs.open), what);
          assertAlike(await client.text(`/v1/jobs/${jobs.open}/results`), what);
        }
      }
      serving.child.kill('SIGTERM');
      assert.equal(await serving.ended, 0, `${what}: ${serving.output()}`);
      assertBooks(copy, client.answered);
      await client.close();
    };
    for (const { one } of order) {
      if (performance.now() > end && cases >= 4) break;
      cases += 1;
      await assertCase(one.file, one.harm).catch((error: Error) => {
        broken.push(`${one.file}, ${one.harm}: ${error.message}`);
        program.killAll();
      });
    }
    assert.deepEqual(broken, []);
    return {
      ...{ files: files.length, harms: Object.keys(harms).length, cases, 'of all cases': order.length },
      ...{
        'servers at work': worked,
        'servers refused by name': refused,
        'commands refused by name': commands,
        'results refused by name': namedCount,
      },
    };
  },
};
