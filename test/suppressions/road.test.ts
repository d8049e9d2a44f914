import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import type { ItemSource } from '../../lib/read/item-source.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf } from '../../lib/samples.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { routeSource } from '../../lib/web/routes.js';
import { testServer } from '../support/server.js';

const endpointAt = (path: string): Endpoint =>
  endpoints.find((one) => one.path === path) ?? assert.fail(path);

async function serverOf(path: string) {
  const endpoint = endpointAt(path);
  const server = await testServer();
  const { id: account, secret } = await server.account({ credits: 1_000 });
  const [first] = await casesOf(endpoint);
  assert.ok(first);
  server.pages = routeSource(sampleFiles(endpoint.path), first.pages);
  const url = (more: Readonly<Record<string, string>> = {}) => {
    const params = Object.entries(first.params).map(([name, value]) => [name, String(value)]);
    return `/v1/${path}?${new URLSearchParams({ ...Object.fromEntries(params), ...more })}`;
  };
  return {
    ...{ server, url, params: first.params },
    async ask(address: string) {
      const { status, body } = await server.ask(address, secret);
      return { status, ...body, sources: (body as unknown as { sources?: ItemSource[] }).sources ?? [] };
    },
    credits: async () => (await server.ledger.balance(account)).credits,
    async suppress(subject: string) {
      await server.suppressions.add(parseSubject(subject));
      server.clock.time += 1_000;
    },
    async allow(subject: string) {
      await server.suppressions.remove(parseSubject(subject));
      server.clock.time += 1_000;
    },
    /** From now on a request to the platform is a fault. */
    closePlatform() {
      server.pages = { open: () => assert.fail('the platform was asked'), close: async () => undefined };
    },
  };
}

describe('a suppressed author', () => {
  test('is in no page of a list, be it fetched, cached or known to the fast path', async () => {
    const { ask, url, suppress, credits } = await serverOf('shortvideo/comments');
    const address = url({ sources: 'true' });
    const before = await ask(address);
    assert.equal(before.status, 200, JSON.stringify(before.error));
    const handles = before.sources.map(({ author }) => author?.handle ?? null);
    const theirs = handles.find((handle, at) => at > 0 && handle !== null && handle !== handles[0]);
    assert.ok(theirs);
    const next = url({ sources: 'true', cursor: String(before.meta.next_cursor) });
    const second = await ask(next);
    assert.equal(second.status, 200);

    await suppress(`tiktok:@${theirs}`);
    const again = await ask(address);
    assert.equal(again.meta.cached, true);
    const sources = before.sources.filter(({ author }) => author?.handle !== theirs);
    assert.ok(sources.length < before.sources.length);
    assert.deepEqual(again.sources, sources, 'positions are those of the platform');
    assert.equal((again.data as unknown[]).length, sources.length);
    assert.doesNotMatch(JSON.stringify(again), new RegExp(`\\b${theirs}\\b`));

    const fresh = await ask(url({ sources: 'true', limit: '40' }));
    assert.equal(fresh.meta.cached, false);
    assert.doesNotMatch(JSON.stringify(fresh), new RegExp(`\\b${theirs}\\b`));
    const positionsOf = (some: readonly ItemSource[]) => some.map(({ position }) => position);
    assert.deepEqual(positionsOf(fresh.sources).slice(0, 3), positionsOf(sources).slice(0, 3));
    const onward = await ask(url({ sources: 'true', cursor: String(again.meta.next_cursor) }));
    const onwardSources = second.sources.filter(({ author }) => author?.handle !== theirs);
    assert.deepEqual(positionsOf(onward.sources), positionsOf(onwardSources));
    assert.equal(await credits(), 1_500 - 3 * 5);
  });

  test('is in the cache no more once it is suppressed', async () => {
    const { ask, url, suppress, allow, server } = await serverOf('shortvideo/comments');
    await suppress('tiktok:@ada.bakes');
    const first = await ask(url({ sources: 'true' }));
    const [someone] = first.sources.flatMap(({ author }) => author?.handle ?? []);
    assert.ok(someone);
    await suppress(`tiktok:@${someone}`);
    await server.cache.clear();
    await ask(url({ sources: 'true' }));
    await allow(`tiktok:@${someone}`);
    const cached = await ask(url({ sources: 'true' }));
    assert.equal(cached.meta.cached, true);
    assert.doesNotMatch(JSON.stringify(cached), new RegExp(`\\b${someone}\\b`));
  });
});

describe('a suppressed subject', () => {
  test('is not asked for, and costs nothing', async () => {
    const { ask, url, suppress, closePlatform, credits, params } = await serverOf('shortvideo/profile');
    const reply = await ask(url());
    assert.equal(reply.status, 200);
    const paid = await credits();
    await suppress(`tiktok:${String(params.username ?? params.url)}`);
    closePlatform();
    const videos = `/v1/shortvideo/videos?username=${params.username}`;
    for (const address of [url(), url({ fresh: 'true' }), url(), videos]) {
      const { status, error } = await ask(address);
      assert.deepEqual([status, error?.code, error?.type], [404, 'subject_suppressed', 'not_found'], address);
    }
    assert.equal(await credits(), paid);
    const demo = await ask(url({ demo: 'true' }));
    assert.equal(demo.status, 200, 'invented data is nobody’s');
  });

  test('that only its page tells is read once, given to nobody, kept nowhere, and free', async () => {
    const { ask, url, suppress, allow, credits, server } = await serverOf('shortvideo/video');
    const reply = await ask(url({ sources: 'true' }));
    const author = reply.sources[0]?.author?.handle;
    assert.ok(author);
    const paid = await credits();
    await suppress(`tiktok:@${author}`);
    for (const address of [url(), url({ fresh: 'false', sources: 'true' })]) {
      const { status, error } = await ask(address);
      assert.deepEqual([status, error?.code], [404, 'subject_suppressed']);
    }
    await server.cache.clear();
    assert.equal((await ask(url())).error?.code, 'subject_suppressed');
    await allow(`tiktok:@${author}`);
    assert.equal(await credits(), paid, 'the charge went back');
    assert.equal((await ask(url())).meta.cached, false);
  });

  test('is refused by the address of its posts, before anything is asked', async () => {
    const { ask, suppress, closePlatform } = await serverOf('shortvideo/video');
    closePlatform();
    await suppress('https://www.tiktok.com/@baker');
    const address = encodeURIComponent('https://www.tiktok.com/@Baker/video/7571863205253778710');
    for (const path of ['video', 'comments']) {
      const { error } = await ask(`/v1/shortvideo/${path}?url=${address}`);
      assert.equal(error?.code, 'subject_suppressed', path);
    }
  });
});
