import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { noBrowser } from '../support/browser-site.js';
import { saysNextRun } from '../support/program-output.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { moveOn, serveSite } from './harness.js';

const remaining = commentsOfVideo - 1;

describe('suppressed subjects, with every setting as it comes', { skip: noBrowser }, () => {
  test('are never requested and never returned, by any path to them', async (t) => {
    const { home, run, serve, start, plain, browsed } = await serveSite(shortvideoSite());
    const inHome = (name: string) => path.join(home, name);
    const text = (name: string) => readFileSync(inHome(name), 'utf8');
    const assertMissing = (of: string, what: string) =>
      assert.doesNotMatch(of, /\b(?:user3|Comment 3)\b/, what);
    const call = ['shortvideo', 'comments', '--id', videoId, '--all'];
    /** Runs a command that must succeed. */
    const done = async (...args: readonly string[]) => {
      const ran = await run(args);
      assert.equal(ran.status, 0, ran.err);
      return ran;
    };
    const list = ['--history', inHome('list.sqlite')];
    await done(...call, ...list, '--new', 'list', '-o', inHome('before.ndjson'));
    assert.match(text('before.ndjson'), /\buser3\b/);

    await done('suppress', 'add', 'https://www.tiktok.com/@user3', 'tiktok:@Baker', '--json');
    const listed = JSON.parse((await run(['suppress', 'list', '--json'])).out);
    assert.deepEqual(
      listed.data.map(({ subject }: { subject: string }) => subject),
      ['shortvideo:@baker', 'shortvideo:@user3'],
    );

    await done(...call, '-o', inHome('cached.ndjson'));
    assert.equal(text('cached.ndjson').trim().split('\n').length, remaining);
    assertMissing(text('cached.ndjson'), 'a cached answer');

    const requestCount = plain().length + browsed().length;
    for (const args of [
      ['shortvideo', 'profile', '--username', 'baker'],
      ['shortvideo', 'videos', '--username', 'BAKER', '--fresh'],
      ['shortvideo', 'video', '--url', 'https://www.tiktok.com/@baker/video/1000000000000000001'],
    ]) {
      const refused = await run([...args, '--json']);
      assert.equal(refused.status, 4, refused.err);
      assert.match(refused.err + refused.out, /subject_suppressed/);
    }
    assert.equal(plain().length + browsed().length, requestCount, 'no request was made');

    writeFileSync(
      inHome('in.ndjson'),
      `{"id":"${videoId}"}\n{"url":"https://www.tiktok.com/@baker/video/1000000000000000002"}\n`,
    );
    const many = await run([
      ...['batch', 'shortvideo/comments', inHome('in.ndjson'), '--all', '--sources', '--flatten', '--fresh'],
      ...['--archive', inHome('run.wacz'), ...list, '-o', inHome('batch.ndjson')],
    ]);
    assert.match(many.err, /1 failed|failed: 1|subject_suppressed/);
    assertMissing(text('batch.ndjson'), 'a batch');
    assert.match(text('batch.ndjson'), /subject_suppressed/);
    const again = await done('from-archive', inHome('run.wacz'));
    assertMissing(again.out, 'an archive that is read again');
    assert.match(again.out, /Comment 4/);
    const verified = await run(['verify', inHome('run.wacz'), inHome('batch.ndjson')]);
    assert.doesNotMatch(verified.out, /differs|missing/, verified.out);
    const feed = await run(['feed', inHome('list.sqlite')]);
    assert.doesNotMatch(feed.out, /Removed:/, 'nobody who is left out is gone from the list');
    const newRun = await run([...call, '--new', 'list', '-o', inHome('news.ndjson')]);
    assertMissing(`${newRun.out}${newRun.err}`, 'what is new');

    const program = start(['mcp', '--account', 'local']);
    assert.ok(program.stdin !== null && program.stdout !== null);
    const client = new Client({ name: 'test', version: '1' });
    t.after(() => client.close());
    await client.connect(new StdioServerTransport(program.stdout, program.stdin));
    const ask = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    assertMissing(JSON.stringify(await ask('get_shortvideo_comments', { id: videoId, limit: 50 })), 'a tool');
    const refused = await ask('get_shortvideo_profile', { username: 'baker' });
    assert.match(JSON.stringify(refused.content), /subject_suppressed/);

    const { url } = await serve();
    await done('accounts', 'create', '--email', 'a@example.com', '--verified', '--credits', '50000');
    const key = await done('keys', 'create', '--email', 'a@example.com', '--name', 'k', '--json');
    const secret: string = JSON.parse(key.out).data.secret;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const fetched = async (address: string, init: RequestInit = {}) =>
      (await fetch(`${url}${address}`, { headers, ...init })).text();
    const page = `/v1/shortvideo/comments?id=${videoId}&limit=20&sources=true`;
    for (let turn = 0; turn < 2; turn += 1) assertMissing(await fetched(page), 'the API');
    assert.match(await fetched('/v1/shortvideo/profile?username=baker'), /subject_suppressed/);
    const inputs = [{ id: videoId }, { url: 'https://www.tiktok.com/@baker/video/1000000000000000002' }];
    const body = JSON.stringify({ endpoint: 'shortvideo/comments', inputs, sources: true });
    const { data: createdJob } = JSON.parse(await fetched('/v1/jobs', { method: 'POST', body }));
    const lines = await fetched(`/v1/jobs/${createdJob.id}/results?wait=true`);
    assert.equal(lines.trim().split('\n').length, inputs.length, lines);
    assertMissing(lines, 'a job');
    assert.match(lines, /Comment 4/);
    assert.match(lines, /subject_suppressed/);

    await done('suppress', 'remove', 'tiktok:@user3', 'tiktok:@baker');
    await done(...call, '--fresh', '-o', inHome('back.ndjson'));
    assert.match(text('back.ndjson'), /\buser3\b/);

    const forgotten = await done('forget', 'tiktok:@user3', inHome('back.ndjson'), '--json');
    const receipt: { place: string; removed: number | null }[] = JSON.parse(forgotten.out).data;
    const removedFrom = (place: string) => receipt.find((one) => one.place === place)?.removed;
    assert.ok((removedFrom('cached answers') ?? 0) > 0, forgotten.out);
    assert.equal(removedFrom(inHome('back.ndjson')), null, forgotten.out);
    await done('suppress', 'add', 'tiktok:@user3', '--json');
    const files = [inHome('back.ndjson'), inHome('anew.ndjson')];
    const rerun = await done('convert', ...files, '--endpoint', 'shortvideo/comments');
    assert.match(rerun.err, /Skipped \d+ items? of suppressed subjects/);
    assertMissing(text('anew.ndjson'), 'a file of the user that was written anew');
  });

  test('are omitted by a watch that was already running', async () => {
    const { home, run, start } = await serveSite(shortvideoSite());
    const inputs = path.join(home, 'videos.txt');
    writeFileSync(inputs, `${videoId}\nhttps://www.tiktok.com/@baker/video/1000000000000000002\n`);
    const output = path.join(home, 'comments.ndjson');
    const watch = start(['watch', 'shortvideo/comments', inputs, '--every', '1d', '-o', output], {
      stepMs: 86_400_000,
    });
    const runs = () =>
      readdirSync(home)
        .filter((name) => /^comments.*\.ndjson$/.test(name))
        .map((name) => readFileSync(path.join(home, name), 'utf8'))
        .filter((text) => text.split('\n').length === 3);
    await saysNextRun(watch);
    assert.match(runs()[0] ?? '', /\buser3\b/);
    const added = await run(['suppress', 'add', 'tiktok:@user3', 'tiktok:@baker']);
    assert.equal(added.status, 0, added.err);
    moveOn(watch);
    while (runs().length < 2) await sleep(100);
    watch.kill('SIGTERM');
    await once(watch, 'close');
    const later = runs().filter((text) => !/\buser3\b/.test(text));
    assert.equal(later.length, 1);
    assert.match(later[0] ?? '', /Comment 4/);
    assert.match(later[0] ?? '', /subject_suppressed/);
  });
});
