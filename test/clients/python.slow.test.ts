import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { version } from '../../lib/runtime/version.js';
import { casesOf } from '../../lib/samples.js';
import { signWebhook } from '../../lib/webhook.js';
import { className } from '../../scripts/python/source.js';
import { objectName } from '../../src/faces/server/openapi/schemas.js';
import { serveSite } from '../as-it-comes/harness.js';
import { argv } from '../support/argv.js';
import { assertExit } from '../support/assert-exit.js';
import { expectedAnswers } from '../support/cases.js';
import { noModules, noPython, pythonFolder, runPython, startPython } from '../support/python.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const page = readFileSync(path.join(packageRoot(), 'fixtures/shortvideo/profile/rich.html'), 'latin1');

const notebooks = readdirSync(path.join(pythonFolder, 'notebooks')).filter((name) => name.endsWith('.ipynb'));

/** Accounts that share the recorded page, each under its own name. */
const accounts = ({ path: requestPath }: { readonly path: string }) => {
  const name = requestPath.replace(/^\/@/, '');
  return { headers: { 'content-type': 'text/html' }, body: page.replaceAll('mira.kettle', name) };
};

/** Starts `extract serve` as a process, with an account that has two keys. */
async function server() {
  const site = await serveSite(accounts);
  const email = 'ann@example.com';
  const account = argv`accounts create --email ${email} --verified --credits 500`;
  assertExit(await site.run(account), 0);
  const keyOf = async (name: string): Promise<string> => {
    const key = await site.run(argv`keys create --email ${email} --name ${name} --json`);
    return JSON.parse(key.out).data.secret;
  };
  return { ...site, email, apiKey: await keyOf('one'), limitedKey: await keyOf('two') };
}

/** The demo answers of all endpoints, and a signed delivery. */
async function samples() {
  const now = 1_790_000_000;
  const [body, secret] = ['{"type":"job.done","name":"Süd"}', 'whsec_invented'];
  return {
    webhook: { body, secret, now, signature: signWebhook([secret], now, body) },
    samples: await Promise.all(
      endpoints.map(async (endpoint) => {
        const [sample] = await casesOf(endpoint);
        assert.ok(sample);
        const [data] = expectedAnswers(endpoint, sample);
        const object = className(objectName(endpoint.returns));
        return { operation: endpoint.operation, object, params: sample.params, data };
      }),
    ),
  };
}

// Ended with the file, and not with the test that asks first.
const site = await server();

describe('the Python client', { skip: noPython }, () => {
  test('is clean under mypy, strictly, and mistakes in calls are not', {
    skip: noModules(['mypy']),
  }, async () => {
    const folder = temporaryFolder();
    const modules = await Promise.all(
      notebooks.map(async (name) => {
        const file = path.join(folder, name.replace('.ipynb', '.py'));
        const printed = await runPython(argv`tests/notebook_program.py --print notebooks/${name}`);
        writeFileSync(file, printed.out);
        return file;
      }),
    );
    const args = argv`--config-file pyproject.toml --cache-dir ${folder} src/public_extract tests`;
    const { status, out, err } = await runPython(argv`-m mypy ${args} ${modules}`);
    assert.equal(status, 0, out + err);
  });

  test('is built as sdist and wheel, and the build passes its tests against a server', {
    skip: noModules(['build', 'setuptools', 'wheel']),
  }, async () => {
    const folder = temporaryFolder();
    const sources = path.join(folder, 'sources');
    cpSync(pythonFolder, sources, { recursive: true });
    const built = await runPython(argv`-m build --no-isolation --outdir ${folder}`, {}, sources);
    assert.equal(built.status, 0, built.out + built.err);
    const names = readdirSync(folder).filter((name) => name.startsWith('public_extract-'));
    const [wheel, sdist] = [`public_extract-${version}-py3-none-any.whl`, `public-extract-${version}.tar.gz`];
    const files = readdirSync(folder);
    assert.ok(files.includes(wheel) && (files.includes(sdist) || names.length === 2), files.join());
    const unpacked = path.join(folder, 'unpacked');
    const unzip = argv`-m zipfile -e ${path.join(folder, wheel)} ${unpacked}`;
    assert.equal((await runPython(unzip)).status, 0);
    const modules = readdirSync(path.join(unpacked, 'public_extract'));
    assert.ok(modules.includes('py.typed') && modules.includes('objects'), modules.join());

    const certificate = path.join(folder, 'certificate.pem');
    const request = argv`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=extract.test`;
    const names509 = argv`-addext subjectAltName=DNS:extract.test`;
    const outputs = argv`-keyout ${certificate}.key -out ${certificate}.crt`;
    execFileSync('openssl', [...request, ...names509, ...outputs], { stdio: 'ignore' });
    const [keyText, text] = ['key', 'crt'].map((kind) => readFileSync(`${certificate}.${kind}`, 'utf8'));
    writeFileSync(certificate, `${keyText}${text}`);

    const { serve, email, apiKey, limitedKey } = site;
    const { child, url } = await serve({ stepMs: 60_000 });
    const file = path.join(folder, 'server.json');
    const fixture = {
      ...{ url, pid: child.pid, email, apiKey, limitedKey, ...(await samples()) },
      names: ['mira.kettle', 'otto.plain', 'big.lantern'],
    };
    writeFileSync(file, JSON.stringify(fixture));
    const { status, err } = await runPython(
      argv`-W error -m unittest -v`,
      { PYTHONPATH: unpacked, EXTRACT_TEST_SERVER: file, EXTRACT_TEST_CERTIFICATE: certificate },
      path.join(pythonFolder, 'tests'),
    );
    assert.equal(status, 0, err);
    // Debian packages neither polars nor pyarrow, so those tests run only where they are installed.
    const missing = ['pandas', 'polars', 'pyarrow'].filter((name) => noModules([name])).length;
    assert.equal(err.match(/ \.\.\. skipped/g)?.length ?? 0, missing, err);
    child.kill();
    await once(child, 'exit');
  });

  test('has notebooks that run unmodified, and again on another day', async () => {
    const { child, url } = await site.serve();
    for (const name of notebooks) {
      const folder = temporaryFolder();
      const program = ['tests/notebook_program.py', `notebooks/${name}`];
      const args = program.map((file) => path.join(pythonFolder, file));
      const run = () => runPython(args, { EXTRACT_BASE_URL: url }, folder);
      const [first, second] = [await run(), await run()];
      assert.deepEqual([first.status, second.status], [0, 0], first.err + second.err);
      assert.match(first.out, name.startsWith('creators') ? /mira\.kettle .*followers/ : /cafe +\d+ places/);
    }
    child.kill();
    await once(child, 'exit');
  });

  test('continues a job’s lines after the server was killed and restarted', async () => {
    const { start, serve, apiKey } = site;
    const { child, url } = await serve();
    const names = ['one', 'two', 'three', 'four'].map((name) => `mira.${name}`);
    const env = { EXTRACT_BASE_URL: url, EXTRACT_API_KEY: apiKey };
    const program = startPython(['tests/follow_program.py', ...names], env);
    let text = '';
    const ended = once(program, 'close');
    program.stderr.pipe(process.stderr);
    for await (const piece of program.stdout.setEncoding('utf8')) {
      const isFirst = text === '';
      text += piece;
      if (!isFirst) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
      start(argv`serve --port ${new URL(url).port}`);
    }
    assert.deepEqual([(await ended)[0], text.trim().split('\n')], [0, names]);
  });
});
