import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import { type MediaPort, MediaSource } from '../../../lib/web/media-source.js';
import { openPace } from '../../../src/compose/open-store.js';
import { Manifest } from '../../../src/files/media/manifest.js';
import { MediaFolder } from '../../../src/files/media/media-folder.js';
import type { MediaRef } from '../../../src/files/media/media-items.js';
import { FakeClock } from '../../support/fake-clock.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { jpeg, type MediaUpstream, serve, sha256, startMediaUpstream } from './media-upstream.js';

const folder = temporaryFolder();
let upstream: MediaUpstream;
before(async () => {
  upstream = await startMediaUpstream();
});
after(() => upstream.close());

let folders = 0;
function newFolder(): string {
  folders += 1;
  return path.join(folder, String(folders));
}

interface Line extends MediaRef {
  readonly file?: string;
  readonly bytes?: number;
  readonly type?: string;
  readonly sha256?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

interface RunOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  readonly hosts?: readonly string[];
  readonly clock?: Clock;
}

const settings = { platform: 'photosocial', userAgent: 'test', cooldownMs: 60_000, proxy: {} } as const;

/** What a host says of a picture before it sends its bytes from this one on. */
const headersOf = (picture: Buffer, from = 0) => ({
  'content-type': 'image/jpeg',
  etag: `"${sha256(picture).slice(0, 12)}"`,
  'content-length': picture.length - from,
});

/** Saves pictures into a folder, as one run does, and reads its manifest. */
async function run(dir: string, refs: readonly MediaRef[], options: RunOptions = {}) {
  const { maxBytes = 1_000_000, signal = new AbortController().signal, clock = systemClock } = options;
  const { hosts = [`127.0.0.1:${upstream.port}`] } = options;
  const site = { hosts, fields: {}, pace: { ms: 0, concurrency: 4 } };
  const source = new MediaSource({ ...settings, site, clock });
  const opened = await MediaFolder.open(dir, source, maxBytes);
  try {
    await Promise.all(refs.map((one) => opened.save(one, signal)));
  } finally {
    await source.close();
    await opened.close();
  }
  return { totals: opened.totals, lines: linesOf(dir) };
}

const linesOf = (dir: string): Line[] =>
  ndjsonValues(readFileSync(path.join(dir, 'manifest.ndjson'), 'utf8'));

const ref = (at: string, item = 'post', number = 1): MediaRef => ({
  ...{ item, number, address: `${upstream.origin}${at}` },
});
const pathsAsked = (at: string) => upstream.requests.filter((one) => one.path === at);
/** Calls back once the part file has so many bytes. */
function whenThere(dir: string, bytes: number, then: () => void): void {
  const poll = setInterval(() => {
    if ((statSync(path.join(dir, 'post-1.part'), { throwIfNoEntry: false })?.size ?? 0) < bytes) return;
    clearInterval(poll);
    then();
  }, 5);
}

const filesOf = (dir: string) => readdirSync(dir).sort();

describe('pictures and videos', () => {
  test('are saved under their item and number, with a line each', async () => {
    const dir = newFolder();
    const picture = jpeg(5000);
    const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(4000, 7)]);
    upstream.on('/a.jpg', serve(picture));
    upstream.on('/b.mp4', serve(video, 'video/mp4'));
    const { lines, totals } = await run(dir, [ref('/a.jpg'), ref('/b.mp4', 'post', 2)]);
    assert.deepEqual(filesOf(dir), ['manifest.ndjson', 'post-1.jpg', 'post-2.mp4']);
    assert.deepEqual(readFileSync(path.join(dir, 'post-1.jpg')), picture);
    const inOrder = lines.sort((a, b) => a.number - b.number);
    const [image, film] = [sha256(picture), sha256(video)];
    assert.deepEqual(inOrder, [
      { ...ref('/a.jpg'), file: 'post-1.jpg', bytes: 5000, type: 'image/jpeg', sha256: image },
      {
        ...ref('/b.mp4', 'post', 2),
        file: 'post-2.mp4',
        bytes: video.length,
        type: 'video/mp4',
        sha256: film,
      },
    ]);
    assert.deepEqual(totals, { saved: 2, bytes: 5000 + video.length, known: 0, failed: 0 });
  });

  test('are fetched once: existing ones are skipped, deleted ones are fetched again', async () => {
    const dir = newFolder();
    upstream.on('/once.jpg', serve(jpeg(300, 5)));
    await run(dir, [ref('/once.jpg')]);
    assert.equal((await run(dir, [ref('/once.jpg')])).totals.known, 1);
    assert.equal(pathsAsked('/once.jpg').length, 1);
    rmSync(path.join(dir, 'post-1.jpg'));
    const { totals, lines } = await run(dir, [ref('/once.jpg')]);
    assert.equal(totals.saved, 1);
    assert.equal(lines.length, 1, 'a line each, the last one');
  });

  test('are stored once by content, whichever items name them', async () => {
    const dir = newFolder();
    upstream.on('/same1.jpg', serve(jpeg(300, 9)));
    upstream.on('/same2.jpg', serve(jpeg(300, 9)));
    const refs = ['one', 'two', 'three'].map((item, at) => ref(at === 1 ? '/same2.jpg' : '/same1.jpg', item));
    const { lines, totals } = await run(dir, refs);
    assert.equal(totals.saved, 1);
    assert.equal(totals.known, 2);
    assert.equal(filesOf(dir).length, 2);
    assert.equal(new Set(lines.map(({ file }) => file)).size, 1);
    assert.equal(lines.length, 3);
  });

  test('resume after a broken connection', async () => {
    const dir = newFolder();
    const picture = jpeg(100_000, 3);
    let requests = 0;
    const good = serve(picture);
    upstream.on('/cut.jpg', (request, response) => {
      requests += 1;
      if (requests > 2) return good(request, response);
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
      const part = picture.subarray(from, from + 40_000);
      response.writeHead(from > 0 ? 206 : 200, {
        ...headersOf(picture, from),
        ...(from > 0 ? { 'content-range': `bytes ${from}-${picture.length - 1}/${picture.length}` } : {}),
      });
      response.write(part);
      whenThere(dir, from + part.length, () => response.destroy());
    });
    const { lines } = await run(dir, [ref('/cut.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(picture));
    const ranges = pathsAsked('/cut.jpg').map(({ range }) => range);
    assert.deepEqual(ranges, [undefined, 'bytes=40000-', 'bytes=80000-']);
    assert.deepEqual(filesOf(dir), ['manifest.ndjson', 'post-1.jpg']);
  });

  test('that changed in between start over', async () => {
    const dir = newFolder();
    const [old, current] = [jpeg(50_000, 1), jpeg(50_000, 2)];
    let requests = 0;
    upstream.on('/changed.jpg', (request, response) => {
      requests += 1;
      if (requests > 1) return serve(current)(request, response);
      response.writeHead(200, { 'content-type': 'image/jpeg', etag: '"old"', 'content-length': old.length });
      response.write(old.subarray(0, 20_000), () => response.destroy());
    });
    const { lines } = await run(dir, [ref('/changed.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(current));
  });

  test('resume in a later run, also after an interruption', async () => {
    const dir = newFolder();
    const picture = jpeg(80_000, 4);
    const abort = new AbortController();
    let first = true;
    upstream.on('/later.jpg', (request, response) => {
      if (!first) return serve(picture)(request, response);
      first = false;
      response.writeHead(200, headersOf(picture));
      response.write(picture.subarray(0, 30_000));
      whenThere(dir, 30_000, () => abort.abort(new Error('interrupted')));
    });
    await assert.rejects(run(dir, [ref('/later.jpg')], { signal: abort.signal }), /interrupted/);
    assert.deepEqual(linesOf(dir), [], 'an interruption is no error of the picture');
    const { lines } = await run(dir, [ref('/later.jpg')]);
    assert.equal(lines[0]?.sha256, sha256(picture));
    assert.equal(pathsAsked('/later.jpg')[1]?.range, 'bytes=30000-');
  });

  test('that are not pictures are named, and not stored', async () => {
    const dir = newFolder();
    const html = Buffer.from('<!doctype html><title>Sign in</title>');
    upstream.on('/html', serve(html, 'text/html; charset=utf-8'));
    upstream.on('/lie.jpg', serve(html, 'image/jpeg'));
    upstream.on('/short.jpg', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 900 });
      response.write(jpeg(300), () => response.destroy());
    });
    upstream.on('/gone.jpg', (_, response) => response.writeHead(403).end());
    upstream.on('/packed.jpg', (_, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end('x'),
    );
    const names = ['/html', '/lie.jpg', '/short.jpg', '/gone.jpg', '/packed.jpg'];
    const refs = names.map((name, at) => ref(name, `item${at}`));
    const { lines, totals } = await run(dir, refs);
    assert.equal(totals.failed, names.length);
    const codes = Object.fromEntries(
      lines.map(({ address, error }) => [new URL(address).pathname, error?.code]),
    );
    assert.deepEqual(codes, {
      '/html': 'platform_changed',
      '/lie.jpg': 'platform_changed',
      '/short.jpg': 'platform_unavailable',
      '/gone.jpg': 'invalid_url',
      '/packed.jpg': 'platform_unavailable',
    });
    assert.match(lines.find(({ address }) => address.endsWith('/html'))?.error?.message ?? '', /text\/html/);
    const others = filesOf(dir).filter((name) => /\.jpg$/.test(name));
    assert.deepEqual(others, []);
    upstream.on('/gone.jpg', serve(jpeg(100, 8)));
    const again = await run(dir, [ref('/gone.jpg', 'item3')]);
    assert.equal(again.lines.length, names.length, 'an error makes room for what followed');
  });

  test('that their host sends byte by byte time out, and resume from there', async () => {
    const dir = newFolder();
    const picture = jpeg(1000, 3);
    const clock = new FakeClock();
    let isDripping = true;
    upstream.on('/drip.jpg', (request, response) => {
      if (!isDripping) return serve(picture)(request, response);
      response.writeHead(200, headersOf(picture));
      response.write(picture.subarray(0, 500));
    });
    whenThere(dir, 500, () => {
      isDripping = false;
      void clock.advance(5 * 60_000);
    });
    const { lines } = await run(dir, [ref('/drip.jpg')], { clock });
    const digests = lines.map(({ sha256: digest }) => digest);
    assert.deepEqual(digests, [sha256(picture)]);
    const ranges = pathsAsked('/drip.jpg').map(({ range }) => range);
    assert.deepEqual(ranges, [undefined, 'bytes=500-']);
  });

  test('are only requested from the media hosts, including redirects', async () => {
    const dir = newFolder();
    const other = await startMediaUpstream('127.0.0.2');
    other.on('/x.jpg', serve(jpeg(100)));
    upstream.on('/away.jpg', (_, response) =>
      response.writeHead(302, { location: `${other.origin}/x.jpg` }).end(),
    );
    upstream.on('/moved.jpg', (_, response) => response.writeHead(301, { location: '/there.jpg' }).end());
    upstream.on('/there.jpg', serve(jpeg(200, 77)));
    const wrong = [
      `${other.origin}/x.jpg`,
      'file:///etc/passwd',
      'http://user:pass@127.0.0.1/x',
      'nothing',
      // Another service of the host.
      'http://127.0.0.1:22/x',
      'http://127.0.0.1.evil.example/x',
    ];
    const refs = [
      ref('/away.jpg', 'away'),
      ref('/moved.jpg', 'moved'),
      ...wrong.map((address, at) => ({ item: `wrong${at}`, number: 1, address })),
    ];
    const { lines } = await run(dir, refs);
    other.close();
    assert.equal(other.requests.length, 0);
    const failed = lines.filter(({ error }) => error?.code === 'invalid_url').map(({ item }) => item);
    assert.deepEqual(failed.sort(), ['away', ...wrong.map((_, at) => `wrong${at}`)].sort());
    assert.equal(lines.find(({ item }) => item === 'moved')?.file, 'moved-1.jpg');
  });

  test('pause if their host requests it', async () => {
    const dir = newFolder();
    upstream.on('/slow1.jpg', (_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
    upstream.on('/slow2.jpg', serve(jpeg(100)));
    const site = { hosts: [`127.0.0.1:${upstream.port}`], fields: {}, pace: { ms: 0, concurrency: 1 } };
    const source = new MediaSource({ ...settings, site, clock: systemClock });
    const opened = await MediaFolder.open(dir, source, 1000);
    const { signal } = new AbortController();
    await opened.save(ref('/slow1.jpg', 'a'), signal);
    await opened.save(ref('/slow2.jpg', 'b'), signal);
    await source.close();
    await opened.close();
    const codes = linesOf(dir).map(({ error }) => error?.code);
    assert.deepEqual(codes, ['platform_rate_limited', 'platform_rate_limited']);
    assert.equal(pathsAsked('/slow2.jpg').length, 0);
  });

  test('share one pace and its cool-downs over all processes of a data directory', async () => {
    const home = newFolder();
    mkdirSync(home);
    const [{ signal }, ms] = [new AbortController(), 5];
    upstream.on('/shared1.jpg', serve(jpeg(100)));
    upstream.on('/shared2.jpg', (_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
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
      const site = { hosts: [`127.0.0.1:${upstream.port}`], fields: {}, pace: { ms, concurrency: 1 } };
      const source = new MediaSource({ ...settings, site, clock: systemClock, paceStore });
      return { source, store, last };
    };
    const [one, other] = [open(), open()];
    const ask = ({ source }: typeof one, at: string) =>
      source.fetch(
        `${upstream.origin}${at}`,
        {},
        async ({ status, body }) => {
          for await (const _ of body);
          return status;
        },
        signal,
      );
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
    const { lines } = await run(dir, [ref('/ok.jpg', 'a')]);
    const files = lines.map(({ file }) => file);
    assert.deepEqual(files, ['a-1.jpg']);
  });
});

test('runs that save into one folder at the same time leave a line for each of their pictures', async () => {
  const dir = newFolder();
  const saved = (item: string) => ({
    ...{ item, number: 1, address: `https://media.example/${item}` },
    ...{ file: `${item}.jpg`, bytes: 1, sha256: sha256(Buffer.from(item)), type: 'image/jpeg' },
  });
  const runOf = async (items: readonly string[]) => {
    const manifest = await Manifest.open(dir);
    for (const item of items) {
      writeFileSync(path.join(dir, `${item}.jpg`), 'x');
      await manifest.add(saved(item));
    }
    return manifest;
  };
  await (await runOf(['first'])).close();
  const [one, other] = [await runOf(['a']), await runOf(['b'])];
  await one.close();
  await other.add(saved('c'));
  const third = await runOf(['d']);
  await Promise.all([other.close(), third.close()]);
  const items = linesOf(dir).map(({ item }) => item);
  assert.deepEqual(items, ['first', 'a', 'b', 'c', 'd']);
  const matches = readdirSync(dir).filter((name) => name.startsWith('manifest'));
  assert.deepEqual(matches, ['manifest.ndjson']);
});

describe('two runs in one folder', () => {
  test('share no unfinished download', async () => {
    const dir = newFolder();
    const content = jpeg(60_000);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let begin = () => {};
    const started = new Promise<void>((resolve) => {
      begin = resolve;
    });
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
          if (waits) begin();
          if (waits) await gate;
          yield content.subarray(30_000);
        }
        return readAnswer({ status: 200, header: (name) => headers[name], body: body() });
      },
      close: async () => undefined,
    });
    const { signal } = new AbortController();
    const first = await MediaFolder.open(dir, host(true), 1_000_000);
    const slow = first.save(ref('/slow'), signal);
    await started;
    const second = await MediaFolder.open(dir, host(false), 1_000_000);
    await second.save(ref('/slow'), signal);
    await second.close();
    open();
    await slow;
    await first.close();
    assert.deepEqual(readdirSync(dir).sort(), ['manifest.ndjson', 'post-1.jpg']);
    assert.equal(sha256(readFileSync(path.join(dir, 'post-1.jpg'))), sha256(content));
    assert.deepEqual([first.totals.failed, second.totals.failed], [0, 0]);
  });
});
