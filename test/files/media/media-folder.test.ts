import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { MediaPort } from '../../../lib/web/media-source.js';
import { openPace } from '../../../src/compose/open-store.js';
import { Manifest } from '../../../src/files/media/manifest.js';
import { MediaFolder } from '../../../src/files/media/media-folder.js';
import type { MediaRef } from '../../../src/files/media/media-items.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import {
  type Handler,
  jpeg,
  linesOf,
  type MediaUpstream,
  mediaSource,
  saveMedia,
  serve,
  sha256,
  startMediaUpstream,
} from './media-upstream.js';

const folder = temporaryFolder();
let upstream: MediaUpstream;
before(async () => {
  upstream = await startMediaUpstream();
});
after(() => upstream.close());

let folders = 0;
const newFolder = () => path.join(folder, String(++folders));
const save = (dir: string, refs: readonly MediaRef[], abort?: AbortController) =>
  saveMedia(dir, mediaSource(upstream), refs, abort);
const ref = (at: string, item = 'post', number = 1): MediaRef => ({
  ...{ item, number, address: `${upstream.origin}${at}` },
});
const pathsAsked = (at: string) => upstream.requests.filter((one) => one.path === at);
const rangesAsked = (at: string) => pathsAsked(at).map(({ range }) => range);
const answer =
  (status: number, headers = {}, body = ''): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('pictures and videos', () => {
  test('are saved under their item and number, with a line each', async () => {
    const dir = newFolder();
    const picture = jpeg(5000);
    const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(4000, 7)]);
    upstream.on('/a.jpg', serve(picture));
    upstream.on('/b.mp4', serve(video, 'video/mp4'));
    const refs = [ref('/a.jpg'), ref('/b.mp4', 'post', 2)];
    const { lines, totals, files } = await save(dir, refs);
    assert.deepEqual(files, ['manifest.ndjson', 'post-1.jpg', 'post-2.mp4']);
    assert.deepEqual(readFileSync(path.join(dir, 'post-1.jpg')), picture);
    const fileOf = (file: string, type: string, content: Buffer) => ({
      ...{ file, bytes: content.length, type, sha256: sha256(content) },
    });
    assert.deepEqual(
      lines.toSorted((a, b) => a.number - b.number),
      [
        { ...refs[0], ...fileOf('post-1.jpg', 'image/jpeg', picture) },
        { ...refs[1], ...fileOf('post-2.mp4', 'video/mp4', video) },
      ],
    );
    assert.deepEqual(totals, { saved: 2, bytes: 5000 + video.length, known: 0, failed: 0 });
  });

  test('are fetched once: existing ones are skipped, deleted ones are fetched again', async () => {
    const dir = newFolder();
    upstream.on('/once.jpg', serve(jpeg(300, 5)));
    await save(dir, [ref('/once.jpg')]);
    assert.equal((await save(dir, [ref('/once.jpg')])).totals.known, 1);
    assert.equal(pathsAsked('/once.jpg').length, 1);
    rmSync(path.join(dir, 'post-1.jpg'));
    const { totals, lines } = await save(dir, [ref('/once.jpg')]);
    assert.deepEqual([totals.saved, lines.length], [1, 1], 'a line each, the last one');
  });

  test('are stored once by content, whichever items name them', async () => {
    for (const at of ['/same1.jpg', '/same2.jpg']) upstream.on(at, serve(jpeg(300, 9)));
    const refs = ['one', 'two', 'three'].map((item, at) => ref(at === 1 ? '/same2.jpg' : '/same1.jpg', item));
    const { lines, totals, files } = await save(newFolder(), refs);
    assert.deepEqual([totals.saved, totals.known, files.length, lines.length], [1, 2, 2, 3]);
    assert.equal(new Set(lines.map(({ file }) => file)).size, 1);
  });

  /** Sends a picture up to a byte, and calls back once the part file has it. */
  const sendPart =
    (dir: string, picture: Buffer, to: number, then: (response: ServerResponse) => unknown): Handler =>
    (request, response) => {
      serve(picture, 'image/jpeg', to)(request, response);
      const poll = setInterval(() => {
        const part = statSync(path.join(dir, 'post-1.part'), { throwIfNoEntry: false });
        if ((part?.size ?? 0) < to) return;
        clearInterval(poll);
        then(response);
      }, 5);
    };
  const cut = (response: ServerResponse) => response.destroy();

  test('resume after a broken connection', async () => {
    const dir = newFolder();
    const picture = jpeg(100_000, 3);
    const parts = [40_000, 80_000].map((to) => sendPart(dir, picture, to, cut));
    upstream.on('/cut.jpg', ...parts, serve(picture));
    const { lines, files } = await save(dir, [ref('/cut.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(picture));
    assert.deepEqual(rangesAsked('/cut.jpg'), [undefined, 'bytes=40000-', 'bytes=80000-']);
    assert.deepEqual(files, ['manifest.ndjson', 'post-1.jpg']);
  });

  test('that changed in between start over', async () => {
    const dir = newFolder();
    const current = jpeg(50_000, 2);
    upstream.on('/changed.jpg', sendPart(dir, jpeg(50_000, 1), 20_000, cut), serve(current));
    const { lines } = await save(dir, [ref('/changed.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(current));
  });

  test('start over if their host sends a part that begins elsewhere', async () => {
    const dir = newFolder();
    const picture = jpeg(60_000, 6);
    const elsewhere: Handler = (_, response) => {
      const range = `bytes 10000-${picture.length - 1}/${picture.length}`;
      response.writeHead(206, { 'content-type': 'image/jpeg', 'content-range': range });
      response.end(picture.subarray(10_000));
    };
    upstream.on('/elsewhere.jpg', sendPart(dir, picture, 30_000, cut), elsewhere, serve(picture));
    const { lines } = await save(dir, [ref('/elsewhere.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(picture));
    assert.deepEqual(rangesAsked('/elsewhere.jpg'), [undefined, 'bytes=30000-', undefined]);
  });

  test('resume in a later run, also after an interruption', async () => {
    const dir = newFolder();
    const picture = jpeg(80_000, 4);
    const abort = new AbortController();
    const interrupt = () => abort.abort(new Error('interrupted'));
    upstream.on('/later.jpg', sendPart(dir, picture, 30_000, interrupt), serve(picture));
    await assert.rejects(save(dir, [ref('/later.jpg')], abort), /interrupted/);
    assert.deepEqual(linesOf(dir), [], 'an interruption is no error of the picture');
    const { lines } = await save(dir, [ref('/later.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(picture));
    assert.deepEqual(rangesAsked('/later.jpg'), [undefined, 'bytes=30000-']);
  });

  test('that their host sends byte by byte time out, and resume from there', async () => {
    const dir = newFolder();
    const picture = jpeg(1000, 3);
    const clock = new FakeClock();
    const wait = () => clock.advance(5 * 60_000);
    upstream.on('/drip.jpg', sendPart(dir, picture, 500, wait), serve(picture));
    const { lines } = await saveMedia(dir, mediaSource(upstream, { clock }), [ref('/drip.jpg')]);
    const digests = lines.map(({ sha256: digest }) => digest);
    assert.deepEqual(digests, [sha256(picture)]);
    assert.deepEqual(rangesAsked('/drip.jpg'), [undefined, 'bytes=500-']);
  });

  test('that are not pictures are named, and not stored', async () => {
    const dir = newFolder();
    const html = Buffer.from('<!doctype html><title>Sign in</title>');
    const headers = { 'content-type': 'image/jpeg' };
    const cases: readonly (readonly [path: string, code: string, host: Handler])[] = [
      ['/html', 'platform_changed', serve(html, 'text/html; charset=utf-8')],
      ['/lie.jpg', 'platform_changed', serve(html)],
      [
        ...(['/short.jpg', 'platform_unavailable'] as const),
        (_, response) => {
          response.writeHead(200, { ...headers, 'content-length': 900 });
          response.write(jpeg(300), () => response.destroy());
        },
      ],
      ['/gone.jpg', 'invalid_url', answer(403)],
      ['/packed.jpg', 'platform_unavailable', answer(200, { ...headers, 'content-encoding': 'gzip' }, 'x')],
    ];
    for (const [at, , host] of cases) upstream.on(at, host);
    const refs = cases.map(([at]) => ref(at, at.slice(1, 5)));
    const { lines, totals, files } = await save(dir, refs);
    assert.equal(totals.failed, cases.length);
    const codes = lines.map(({ address, error }) => [new URL(address).pathname, error?.code]);
    assert.deepEqual(Object.fromEntries(codes), Object.fromEntries(cases));
    assert.match(lines.find(({ item }) => item === 'html')?.error?.message ?? '', /text\/html/);
    assert.ok(!files.some((name) => name.endsWith('.jpg')));
    upstream.on('/gone.jpg', serve(jpeg(100, 8)));
    const again = await save(dir, [ref('/gone.jpg', 'gone')]);
    assert.equal(again.lines.length, cases.length, 'an error makes room for what followed');
  });

  test('are only requested from the media hosts, including redirects', async () => {
    const other = await startMediaUpstream('127.0.0.2');
    other.on('/x.jpg', serve(jpeg(100)));
    upstream.on('/away.jpg', answer(302, { location: `${other.origin}/x.jpg` }));
    upstream.on('/moved.jpg', answer(301, { location: '/there.jpg' }));
    upstream.on('/there.jpg', serve(jpeg(200, 77)));
    const wrong = [
      ...[`${other.origin}/x.jpg`, 'file:///etc/passwd', 'http://user:pass@127.0.0.1/x', 'nothing'],
      // Another service of the host.
      ...['http://127.0.0.1:22/x', 'http://127.0.0.1.evil.example/x'],
    ].map((address, at) => ({ item: `wrong${at}`, number: 1, address }));
    const refs = [ref('/away.jpg', 'away'), ref('/moved.jpg', 'moved'), ...wrong];
    const { lines } = await save(newFolder(), refs);
    other.close();
    assert.equal(other.requests.length, 0);
    const failed = lines.filter(({ error }) => error?.code === 'invalid_url').map(({ item }) => item);
    assert.deepEqual(failed.sort(), ['away', ...wrong.map(({ item }) => item)]);
    assert.equal(lines.find(({ item }) => item === 'moved')?.file, 'moved-1.jpg');
  });

  test('pause if their host requests it', async () => {
    const dir = newFolder();
    upstream.on('/slow1.jpg', answer(429, { 'retry-after': '30' }));
    upstream.on('/slow2.jpg', serve(jpeg(100)));
    const source = mediaSource(upstream, { concurrency: 1 });
    const { lines } = await saveMedia(dir, source, [ref('/slow1.jpg', 'a'), ref('/slow2.jpg', 'b')]);
    const codes = lines.map(({ error }) => error?.code);
    assert.deepEqual(codes, ['platform_rate_limited', 'platform_rate_limited']);
    assert.equal(pathsAsked('/slow2.jpg').length, 0);
  });

  test('share one pace and its cool-downs over all processes of a data directory', async () => {
    const home = newFolder();
    mkdirSync(home);
    const [{ signal }, ms] = [new AbortController(), 5];
    upstream.on('/shared1.jpg', serve(jpeg(100)));
    upstream.on('/shared2.jpg', answer(429, { 'retry-after': '30' }));
    upstream.on('/shared3.jpg', serve(jpeg(100)));
    const open = () => {
      const store = openPace(home, systemClock);
      // A request that begins late reserves again: its last moment counts.
      const last = { at: 0 };
      const reserve: typeof store.reserve = async (...reservation) => {
        assert.deepEqual(reservation.slice(0, 2), ['The media host of photosocial', { ms }]);
        const turn = await store.reserve(...reservation);
        last.at = turn.at;
        return turn;
      };
      const paceStore = Object.assign(Object.create(store) as typeof store, {
        reserve,
        find: store.find.bind(store),
        recordRefusal: store.recordRefusal.bind(store),
        recordAnswer: store.recordAnswer.bind(store),
        addDays: store.addDays.bind(store),
      });
      return { source: mediaSource(upstream, { ms, concurrency: 1, paceStore }), store, last };
    };
    const ask = ({ source }: ReturnType<typeof open>, at: string) =>
      source.fetch(
        `${upstream.origin}${at}`,
        {},
        async ({ status, body }) => {
          for await (const _ of body);
          return status;
        },
        signal,
      );
    const [one, other] = [open(), open()];
    assert.deepEqual([await ask(one, '/shared1.jpg'), await ask(other, '/shared1.jpg')], [200, 200]);
    assert.ok(other.last.at - one.last.at >= ms, `${other.last.at - one.last.at} ms`);
    await assert.rejects(ask(one, '/shared2.jpg'), { code: 'platform_rate_limited' });
    // A refusal recorded by one process also applies to one that starts now.
    await one.source.close();
    await one.store.close();
    const late = open();
    await assert.rejects(ask(late, '/shared3.jpg'), { code: 'platform_rate_limited' });
    assert.equal(pathsAsked('/shared3.jpg').length, 0);
    for (const { source, store } of [other, late]) {
      await source.close();
      await store.close();
    }
  });

  test('a manifest with a truncated last line is read, and continued with complete lines', async () => {
    const dir = newFolder();
    mkdirSync(dir);
    writeFileSync(path.join(dir, 'manifest.ndjson'), '{"item":"a","number":1,"addr');
    upstream.on('/ok.jpg', serve(jpeg(120, 33)));
    const { lines } = await save(dir, [ref('/ok.jpg', 'a')]);
    const files = lines.map(({ file }) => file);
    assert.deepEqual(files, ['a-1.jpg']);
  });
});

describe('runs that save into one folder at the same time', () => {
  test('leave a line for each of their pictures', async () => {
    const dir = newFolder();
    const saved = (item: string) => ({
      ...{ item, number: 1, address: `https://media.example/${item}` },
      ...{ file: `${item}.jpg`, bytes: 1, sha256: sha256(Buffer.from(item)), type: 'image/jpeg' },
    });
    const runOf = async (item: string) => {
      const manifest = await Manifest.open(dir);
      writeFileSync(path.join(dir, `${item}.jpg`), 'x');
      await manifest.add(saved(item));
      return manifest;
    };
    await (await runOf('first')).close();
    const [one, other] = [await runOf('a'), await runOf('b')];
    await one.close();
    await other.add(saved('c'));
    const third = await runOf('d');
    await Promise.all([other.close(), third.close()]);
    const items = linesOf(dir).map(({ item }) => item);
    assert.deepEqual(items, ['first', 'a', 'b', 'c', 'd']);
    const matches = readdirSync(dir).filter((name) => name.startsWith('manifest'));
    assert.deepEqual(matches, ['manifest.ndjson']);
  });

  test('share no unfinished download', async () => {
    const dir = newFolder();
    const content = jpeg(60_000);
    const [gate, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const headers: Readonly<Record<string, string>> = {
      'content-type': 'image/jpeg',
      'content-length': String(content.length),
    };
    /** A host whose response stalls in the middle if `waits`. */
    const host = (waits: boolean): MediaPort => ({
      isOnHosts: () => true,
      async fetch(_address, _headers, readAnswer) {
        async function* body() {
          yield content.subarray(0, 30_000);
          // The next read implies that the earlier bytes were written.
          started.resolve();
          if (waits) await gate.promise;
          yield content.subarray(30_000);
        }
        return readAnswer({ status: 200, header: (name) => headers[name], body: body() });
      },
      close: async () => undefined,
    });
    const { signal } = new AbortController();
    const first = await MediaFolder.open(dir, host(true), 1_000_000);
    const slow = first.save(ref('/slow'), signal);
    await started.promise;
    const second = await MediaFolder.open(dir, host(false), 1_000_000);
    await second.save(ref('/slow'), signal);
    await second.close();
    gate.resolve();
    await slow;
    await first.close();
    assert.deepEqual(readdirSync(dir).sort(), ['manifest.ndjson', 'post-1.jpg']);
    assert.equal(sha256(readFileSync(path.join(dir, 'post-1.jpg'))), sha256(content));
    assert.deepEqual([first.totals.failed, second.totals.failed], [0, 0]);
  });
});
