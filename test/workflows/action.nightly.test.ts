// The steps of docs/weekly-batch.yaml, unmodified, in a repository with a remote. Only the installation is omitted.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse } from 'yaml';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly on: { readonly schedule: readonly { readonly cron: string }[] };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: {
    readonly batch: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
  };
}

const text = readFileSync(path.join(packageRoot(), 'docs/weekly-batch.yaml'), 'utf8');
const workflow = parse(text) as Workflow;
const { env, steps } = workflow.jobs.batch;
const installs = ({ run }: Step) => run?.startsWith('npm install') === true;

/** Creates a repository with a remote, and an `extract` instead of the installed one. A week passes before each run. */
function repository(inputs: string) {
  const [commands, remote, folder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const program = path.join(packageRoot(), 'bin', 'extract.js');
  const script = `#!/bin/sh\nexec ${process.execPath} ${program} "$@" --demo\n`;
  writeFileSync(path.join(commands, 'extract'), script, { mode: 0o755 });
  const date = execFileSync('sh', ['-c', 'command -v date'], { encoding: 'utf8' }).trim();
  writeFileSync(path.join(commands, 'date'), `#!/bin/sh\nexec ${date} --date="$WEEKS_PASSED weeks" "$@"\n`, {
    mode: 0o755,
  });
  let weeks = 0;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', remote);
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
  writeFileSync(path.join(folder, 'searches.csv'), inputs);
  git('add', '.');
  git('commit', '--quiet', '--message', 'searches');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  const variables = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ github\.workspace \}\}/, folder),
    ]),
  );
  return {
    folder,
    git,
    /** Runs the steps as a runner does: each in a new shell that exits at the first failure. */
    run() {
      weeks += 1;
      for (const { name, run } of steps.filter((step) => step.run !== undefined && !installs(step))) {
        const { status, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run ?? ''], {
          cwd: folder,
          env: {
            ...process.env,
            ...variables,
            WEEKS_PASSED: String(weeks),
            PATH: `${commands}:${process.env.PATH}`,
            EXTRACT_BROWSER: 'never',
          },
          encoding: 'utf8',
        });
        assert.equal(status, 0, `${name}: ${stderr}`);
      }
    },
    commits: () => git('log', '--format=%s', 'origin/main').split('\n'),
  };
}

describe('the weekly batch of the documentation', () => {
  test('may write to the repository, at one time a week, and has nothing else that runs', () => {
    assert.deepEqual(workflow.permissions, { contents: 'write' });
    assert.match(workflow.on.schedule[0]?.cron ?? '', /^\d+ \d+ \* \* [0-6]$/);
    assert.deepEqual(
      steps.flatMap(({ uses }) => uses ?? []),
      ['actions/checkout@v4', 'actions/setup-node@v4'],
    );
    assert.equal(steps.filter(installs).length, 1);
  });

  test('commits what a run found, and then what is new', () => {
    const { folder, git, run, commits } = repository('query,limit\nkiln,5\n');
    run();
    assert.match(commits()[0] ?? '', /^results: \d{4}-\d\d-\d\d$/);
    const rows = () =>
      readdirSync(path.join(folder, 'results'))
        .sort()
        .map((name) => readFileSync(path.join(folder, 'results', name)))
        .map((file) => (parseCsv(file, { bom: true, columns: true }) as unknown[]).length);
    assert.deepEqual(rows(), [5]);
    assert.equal(git('status', '--porcelain', 'results', 'searches.csv'), '');
    run();
    assert.deepEqual(rows(), [5, 1], 'what is new');
    assert.equal(commits().length, 3);
    assert.equal(git('rev-parse', 'main'), git('rev-parse', 'origin/main'));
  });

  test('commits the other results if one input fails', () => {
    const { folder, run, commits } = repository('query,limit\nkiln,5\nkiln,no number\n');
    run();
    assert.equal(commits().length, 2);
    const [name = ''] = readdirSync(path.join(folder, 'results'));
    assert.match(readFileSync(path.join(folder, 'results', name), 'utf8'), /invalid_parameter/);
  });
});
