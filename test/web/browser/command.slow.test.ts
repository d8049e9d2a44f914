import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { descendantsOf, stillThere } from '../../support/browser-load.js';
import { type BrowserSite, browserSite, noBrowser, sharedByFile } from '../../support/browser-site.js';
import { fromSource } from '../../support/from-source.js';
import { outputOf } from '../../support/program-output.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../../support/shortvideo-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const main = path.join(packageRoot(), 'bin', 'extract.js');

async function until(isTrue: () => boolean, ms = 20_000): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(50))
    if (isTrue()) return true;
  return isTrue();
}

describe('the command with a browser', { skip: noBrowser }, () => {
  let site: BrowserSite;
  const folder = temporaryFolder();
  const shared = sharedByFile();
  let hang = false;
  before(async () => {
    const answers = shortvideoSite();
    site = await browserSite(shared, folder, (request) =>
      hang && request.path === '/api/comment/list/' ? { hang: true } : answers(request),
    );
  });

  function start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    program = main,
  ): ChildProcess {
    return spawn(process.execPath, [...(program === main ? [] : fromSource), program, ...args], {
      cwd: packageRoot(),
      env: {
        ...process.env,
        ...site.env,
        EXTRACT_HOME: temporary,
        EXTRACT_BROWSER: 'auto',
        EXTRACT_CACHE: 'false',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }
  const temporary = temporaryFolder();

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    outputOf(start(args, env), '');
  const comments = ['shortvideo', 'comments', '--id', videoId, '--json'];

  test('saves its visits with --save-pages, and answers from them without a network', async () => {
    const folder = path.join(temporaryFolder(), 'pages');
    const result = await run([...comments, '--save-pages', folder]);
    assert.equal(result.status, 0, result.err);
    const nowhere = { HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' };
    const again = await run([...comments, '--from-pages', folder], { ...nowhere, EXTRACT_BROWSER: 'never' });
    assert.equal(again.status, 0, again.err);
    assert.deepEqual(JSON.parse(again.out).data, JSON.parse(result.out).data);
    assert.equal(JSON.parse(again.out).data.length, 20);
    const other = ['shortvideo', 'comments', '--id', `${videoId}1`, '--json', '--from-pages', folder];
    const missing = await run(other, { ...nowhere, EXTRACT_BROWSER: 'never' });
    assert.notEqual(missing.status, 0, missing.out);
    assert.doesNotMatch(missing.err, /internal_error/);
  });

  test('reads what plain requests are refused, at the same price', async () => {
    const plain = await run(comments, { EXTRACT_BROWSER: 'never' });
    assert.equal(plain.status, 5, plain.out + plain.err);
    assert.match(plain.err, /platform_blocked/);
    assert.doesNotMatch(plain.err, /browser/i);
    const { status, out, err } = await run(comments);
    assert.equal(status, 0, err);
    const { data, meta } = JSON.parse(out);
    assert.equal(data.length, 20);
    assert.deepEqual(Object.keys(meta), [
      'request_id',
      'credits_charged',
      'credits_remaining',
      'cached',
      'fetched_at',
      'next_cursor',
    ]);
    assert.equal(meta.credits_charged, 3);
    // The next page by another process, from the cursor alone.
    const next = JSON.parse((await run([...comments, '--cursor', meta.next_cursor])).out);
    assert.equal(next.data[0].id, String(9_000_020));
  });

  test('does not mention a missing browser', async () => {
    const { status, err } = await run(comments, { EXTRACT_BROWSER_PATH: path.join(folder, 'nothing') });
    assert.equal(status, 5);
    assert.doesNotMatch(err, /browser/i);
    const always = await run(comments, {
      EXTRACT_BROWSER: 'always',
      EXTRACT_BROWSER_PATH: path.join(folder, 'nothing'),
    });
    assert.equal(always.status, 2, always.err);
  });

  test('continues a list that ends early without a browser', async () => {
    const videos = ['shortvideo', 'videos', 'baker', '--json'];
    const plain = JSON.parse((await run(videos, { EXTRACT_BROWSER: 'never' })).out);
    assert.deepEqual([plain.data.length, plain.meta.next_cursor], [10, null]);
    const { data, meta } = JSON.parse((await run(videos)).out);
    assert.equal(data.length, 30);
    assert.equal(typeof meta.next_cursor, 'string');
  });

  test('completes a batch’s lists, and reports that it is running', async () => {
    const batch = start(['batch', 'shortvideo/comments', '--all', '--progress', 'jsonl']);
    const { status, out, err } = await outputOf(batch, `${JSON.stringify({ id: videoId })}\n`);
    assert.equal(status, 0, err);
    assert.equal(JSON.parse(out).data.length, commentsOfVideo);
    const visitCounts = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).browser_visits.begun);
    assert.equal(visitCounts.at(-1), 1);
  });

  test('reads more lists than it has pages, with one document each', async () => {
    const list = Array.from({ length: 6 }, (_, at) => String(7_571_863_205_253_779_000n + BigInt(at)));
    const before = site.requests.length;
    const batch = start(['batch', 'shortvideo/comments', '--all'], { EXTRACT_BROWSER: 'always' });
    const inputs = list.map((id) => `${JSON.stringify({ id })}\n`).join('');
    const { status, out, err } = await outputOf(batch, inputs);
    assert.equal(status, 0, err);
    const lengths = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data.length);
    assert.deepEqual(
      lengths,
      Array.from({ length: 6 }, () => commentsOfVideo),
    );
    const requests = site.requests.slice(before);
    assert.equal(requests.filter((one) => one.includes('/video/')).length, 6);
    assert.equal(requests.filter((one) => one.includes('/api/comment/list/')).length, 18);
  });

  test('exits even if a program does not close it', async () => {
    const program = path.join(packageRoot(), 'test', 'support', 'library-program.ts');
    const startedAt = performance.now();
    const { status, out, err } = await outputOf(start([videoId], {}, program), '');
    assert.equal(status, 0, err);
    assert.equal(out.trim(), '20');
    assert.ok(performance.now() - startedAt < 30_000);
  });

  test('leaves no browser behind when it is killed', async () => {
    hang = true;
    const child = start(comments, { EXTRACT_BROWSER: 'always' });
    const ending = outputOf(child, '');
    const { pid = 0 } = child;
    const list = () => descendantsOf(pid);
    assert.ok(
      await until(() => site.requests.some((one) => one.includes('/api/comment/list/')) && list().length > 3),
    );
    const below = list();
    child.kill('SIGKILL');
    await ending;
    assert.ok(await until(() => stillThere(below).length === 0), `still there: ${stillThere(below)}`);
    hang = false;
  });
});
