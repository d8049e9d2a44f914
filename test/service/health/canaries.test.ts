import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noCache } from '../../../lib/cache/cache.js';
import type { FetchLeases } from '../../../lib/cache/fetch-leases.js';
import { SingleFlight } from '../../../lib/cache/single-flight.js';
import type { Services } from '../../../lib/call/call.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf, sampleDataOf, sampleOf } from '../../../lib/samples.js';
import { page } from '../../../lib/web/page.js';
import type { Page, PageSource, Site } from '../../../lib/web/page-source.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import type { Canary } from '../../../src/service/health/canary.js';
import { canarySet, type ResolvedCanary } from '../../../src/service/health/canary-set.js';
import { CanaryWatch } from '../../../src/service/health/canary-watch.js';
import { defaultCanaries } from '../../../src/service/health/default-canaries.js';
import { runCanaries } from '../../../src/service/health/run-canaries.js';
import { watchedFields } from '../../../src/service/health/watched-fields.js';
import { FakeClock } from '../../support/fake-clock.js';
import { altered, withoutPaths } from '../../support/knockout.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

/** Services whose ledger must not be touched: canaries are charged to nobody. */
function services(pages: PageSource, clock = new FakeClock(Date.UTC(2026, 10, 22))): Services {
  return {
    clock,
    docsBase: 'https://x.test',
    deadlineMs: 60_000,
    flights: new SingleFlight(),
    get ledger() {
      return assert.fail('a canary was booked');
    },
    cache: noCache,
    pages: async () => pages,
    sample: sampleOf,
    secret: async () => Buffer.alloc(32, 7),
  };
}

const recorded = (endpoint: Endpoint, pages: readonly Route[]) =>
  routeSource(sampleFiles(endpoint.path), pages);

const endpointOf = (name: string): Endpoint =>
  endpoints.find(({ path: one }) => one === name) ?? assert.fail(name);

async function caseOf(endpoint: Endpoint, which?: string) {
  const isMeant = ({ name, error }: { name: string; error?: string }) =>
    which === undefined || name === which || error === which;
  return (await casesOf(endpoint)).find(isMeant) ?? assert.fail(`${endpoint.path} has no case ${which}`);
}

/** A canary that asks what a case asks, and wants every field that the answer is known to hold. */
async function canaryOf(endpoint: Endpoint): Promise<ResolvedCanary> {
  const { params } = await caseOf(endpoint);
  const [item] = [await sampleDataOf(endpoint)].flat() as Record<string, unknown>[];
  const filled = watchedFields(endpoint)
    .filter(({ share }) => share(item ?? {}) > 0)
    .map(({ name }) => name)
    .filter((name) => !/[.>]/.test(name));
  const canary = { endpoint: endpoint.path, params, filled, match: {}, items: 1, source: 'invented' };
  return { endpoint, canary: canary as Canary };
}

/** A platform whose every page is what `fetch` gives, for a session that `open` notes. */
const platform = (
  fetch: (request: { readonly url: string }, site: Site, signal?: CallSignal) => Promise<Page>,
  onOpen = () => undefined,
): PageSource => ({
  open(site, signal) {
    onOpen();
    return { fetch: (request) => fetch(request, site, signal), cookie: () => null, end() {} };
  },
  close: async () => undefined,
});

async function resultOf(placed: ResolvedCanary, pages: PageSource) {
  const [found] = await runCanaries([placed], { services: services(pages) });
  return found?.result ?? assert.fail();
}

/** The result of an endpoint's canary, with what matters to the test changed, against its recorded pages. */
async function resultFor(
  name: string,
  { change, ...canary }: Partial<Canary> & { readonly change?: (text: string) => string } = {},
) {
  const endpoint = endpointOf(name);
  const pages = recorded(endpoint, (await caseOf(endpoint)).pages);
  const placed = await canaryOf(endpoint);
  return resultOf(
    { endpoint, canary: { ...placed.canary, ...canary } as Canary },
    change === undefined ? pages : altered(pages, change),
  );
}

describe('the canaries that come with the package', () => {
  test('cover every endpoint with valid parameters, fields and a reason', async () => {
    assert.deepEqual(
      defaultCanaries.map(({ endpoint }) => endpoint),
      endpoints.map(({ path: name }) => name),
    );
    const set = await canarySet(undefined, endpoints);
    assert.equal(set.length, endpoints.length);
    for (const { canary, endpoint } of set) {
      assert.ok(canary.source.length > 20, endpoint.path);
      assert.ok(canary.filled.length > 0, endpoint.path);
    }
  });
});

describe('an operator’s canaries', () => {
  const write = (value: unknown) => {
    const file = path.join(folder, 'canaries.json');
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  const own = { endpoint: 'maps/place', params: { place_id: 'ChIJLU7jZClu5kcR4PcOOO6p3I0' }, source: 'ours' };

  test('replace the default ones of their endpoint', async () => {
    const set = await canarySet(write([own, { ...own, match: { name: { pattern: '^A' } } }]), endpoints);
    assert.equal(set.length, endpoints.length + 1);
    const sources = set
      .filter(({ endpoint }) => endpoint.path === 'maps/place')
      .map(({ canary }) => canary.source);
    assert.deepEqual(sources, ['ours', 'ours']);
  });

  test('are refused with the position of the mistake', async () => {
    const rows: [unknown, RegExp][] = [
      ['{', /not valid JSON/],
      [{}, /invalid at its beginning/],
      [[{ ...own, source: undefined }], /invalid at 0\.source/],
      [[{ ...own, floor: 1 }], /Unrecognized key/],
      [[{ ...own, endpoint: 'maps/nothing' }], /canary 1: names the unknown endpoint maps\/nothing/],
      [[own, { ...own, params: { place: 'x' } }], /canary 2: /],
      [[{ ...own, filled: ['fone'] }], /names fone, which maps\/place does not have/],
      [[{ ...own, match: { name: { pattern: '(' } } }], /match/],
    ];
    for (const [value, message] of rows) {
      await assert.rejects(canarySet(write(value), endpoints), { code: 'invalid_parameter', message });
    }
    const nowhere = canarySet(path.join(folder, 'nowhere.json'), endpoints);
    await assert.rejects(nowhere, { code: 'invalid_parameter' });
  });
});

describe('a canary', () => {
  for (const endpoint of endpoints) {
    test(`of ${endpoint.path} is ok against its recorded page, with source, fields and seconds`, async () => {
      const result = await resultFor(endpoint.path);
      assert.deepEqual([result.outcome, result.problems, result.code], ['ok', [], null]);
      assert.ok(result.filled > 0 && result.filled <= result.fields);
      assert.match(result.source, /^[\w.-]+\/\S+$/);
    });
  }

  test('is incomplete if its page lost a field, and names it', async () => {
    const { canary } = await canaryOf(endpointOf('photosocial/profile'));
    assert.ok(canary.filled.includes('biography'));
    const { outcome, problems } = await resultFor('photosocial/profile', {
      change: (text) => text.replace(/"biography":"(?:[^"\\]|\\.)*"/g, '"biography":null'),
    });
    assert.deepEqual([outcome, problems], ['incomplete', ['biography is null.']]);
  });

  test('is changed if its page lost a required value', async () => {
    const id = ['__DEFAULT_SCOPE__', 'webapp.user-detail', 'userInfo', 'user', 'uniqueId'];
    const { outcome, code } = await resultFor('shortvideo/profile', {
      change: (text) =>
        text.replace(
          /(<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__"[^>]*>)([\s\S]*?)(<\/script>)/,
          (_, a, json, b) => `${a}${withoutPaths(json, id)}${b}`,
        ),
    });
    assert.deepEqual([outcome, code], ['changed', 'platform_changed']);
  });

  test('reports a shell, a challenge, a wall or an outage', async () => {
    const rows = [
      ['shortvideo/profile', 'waiting-room challenge', 'refused', 'platform_blocked'],
      ['photosocial/profile', 'login wall', 'refused', 'platform_login_required'],
      ['maps/place', 'shell of the page in place of data', 'refused', 'platform_blocked'],
      ['maps/place', 'body without a place', 'changed', 'platform_changed'],
      ['pronetwork/company', 'not found', 'not_found', 'company_not_found'],
      ['maps/place', 'platform_unavailable', 'unreachable', 'platform_unavailable'],
    ] as const;
    for (const [name, which, outcome, code] of rows) {
      const endpoint = endpointOf(name);
      const { pages, params } = await caseOf(endpoint, which);
      const { canary } = await canaryOf(endpoint);
      const placed = { endpoint, canary: { ...canary, params } as Canary };
      const result = await resultOf(placed, recorded(endpoint, pages));
      assert.deepEqual([result.outcome, result.code], [outcome, code], `${name}: ${which}`);
      assert.match(result.problems[1] ?? '', /^Seen: GET https:/);
    }
  });

  test('reports the expected and the actual value of a wrong answer', async () => {
    const match = {
      ...{ username: 'somebody', display_name: { pattern: '^Nobody' } },
      ...{ follower_count: { min: 1e12 }, is_verified: true },
    };
    const { outcome, problems } = await resultFor('shortvideo/profile', { match });
    assert.equal(outcome, 'incomplete');
    assert.match(problems[0] ?? '', /^username is ".*", and must be "somebody"\.$/);
    assert.match(problems[1] ?? '', /and must be like \^Nobody\.$/);
    assert.match(problems[2] ?? '', /and must be at least 1000000000000\.$/);
  });

  test('tries each route separately, and requests their page once', async () => {
    const { outcome, routes = [] } = await resultFor('photosocial/profile');
    assert.equal(outcome, 'ok');
    assert.deepEqual(
      routes.map(({ route }) => route),
      endpointOf('photosocial/profile').routes.map(({ name }) => name),
    );
    const [page, head] = ['page', 'head'].map((name) => routes.find(({ route }) => route === name));
    assert.ok(page && head);
    assert.deepEqual([page.outcome, page.code, page.problems, page.requests], ['ok', null, [], 1]);
    assert.ok(page.filled > 5 && page.filled <= page.fields && page.bytes > 1000);
    assert.match(page.source, /^www\.instagram\.com\//);
    // The head stands in the same page.
    assert.deepEqual([head.requests, head.bytes], [0, 0]);
    // A field that the head never holds is no fault of it.
    assert.ok(head.fields < page.fields);
  });

  test('is ok if one route is refused and another one answers', async () => {
    const endpoint = endpointOf('shortvideo/profile');
    const { params, pages } =
      (await casesOf(endpoint)).find(({ name }) => /embed/.test(name)) ?? assert.fail();
    const { canary } = await canaryOf(endpoint);
    const placed = { endpoint, canary: { ...canary, params, filled: ['avatar_url'] } as Canary };
    const { outcome, code, routes = [] } = await resultOf(placed, recorded(endpoint, pages));
    assert.deepEqual([outcome, code], ['ok', null]);
    assert.deepEqual(
      routes.slice(0, 2).map((one) => `${one.route} ${one.outcome} ${one.code}`),
      ['page refused platform_blocked', 'embed ok null'],
    );
  });

  test('requests nothing more from a surface that refused, or after a refusal of the address', async () => {
    const requestsOf = async (status: number, name: Endpoint['path']) => {
      const urls: string[] = [];
      const counting = platform(async ({ url }) => {
        urls.push(url);
        return page(url, status, {}, Buffer.alloc(0));
      });
      const endpoint = endpointOf(name);
      const { routes = [] } = await resultOf(await canaryOf(endpoint), counting);
      assert.ok(routes.every(({ outcome }) => outcome !== 'ok'));
      return urls.map((url) => new URL(url).pathname);
    };
    const profile = await requestsOf(403, 'photosocial/profile');
    // The head stands in the page, and the documents take a page that is refused.
    assert.deepEqual(profile, ['/harbor.lantern/embed/', '/harbor.lantern/']);
    for (const name of ['pronetwork/posts', 'pronetwork/jobs'] as const)
      assert.equal((await requestsOf(999, name)).length, 1, name);
  });

  test('abandons a route at the deadline, and tries the next one in a new session', async () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 22));
    const endpoint = endpointOf('shortvideo/profile');
    let sessions = 0;
    const pages = platform(
      (_request, _site, signal) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      () => {
        sessions += 1;
      },
    );
    const asking = runCanaries([await canaryOf(endpoint)], { services: services(pages, clock) });
    for (let waits = 0; waits < endpoint.routes.length; waits += 1) await clock.advance(60_000);
    const [found] = await asking;
    const { outcome, routes = [] } = found?.result ?? assert.fail();
    assert.equal(outcome, 'unreachable');
    assert.deepEqual(
      routes.map(({ code }) => code),
      endpoint.routes.map(() => 'platform_timeout'),
    );
    assert.equal(sessions, endpoint.routes.length);
  });
});

describe('the rounds of canaries', () => {
  test('send a platform one request at a time, all platforms side by side, once a round', async () => {
    const clock = new FakeClock();
    const atOnce = new Map<string, number>();
    let [most, platformsAtOnce, results] = [0, 0, 0];
    const pages = platform(async (_request, { platform: name }) => {
      atOnce.set(name, (atOnce.get(name) ?? 0) + 1);
      most = Math.max(most, ...atOnce.values());
      platformsAtOnce = Math.max(platformsAtOnce, [...atOnce.values()].filter((one) => one > 0).length);
      await clock.sleep(1000);
      atOnce.set(name, (atOnce.get(name) ?? 0) - 1);
      throw new ExtractError('platform_unavailable');
    });
    const troubles: unknown[] = [];
    const watch = new CanaryWatch({
      ...{ endpoints, file: undefined, minutes: 60 },
      services: services(pages, clock),
      onResult: () => {
        results += 1;
      },
      onError: (cause) => troubles.push(cause),
    });
    watch.start();
    await clock.advance(29_000);
    assert.equal(results, 0);
    const round = async (count: number) => {
      for (let tries = 0; results < count * endpoints.length && tries < 500; tries += 1)
        await clock.advance(1000);
      assert.equal(results, count * endpoints.length);
    };
    await round(1);
    assert.deepEqual([most, platformsAtOnce], [1, 4]);
    // What failed is asked once more a little later.
    for (const [count, minutes] of [2, 59].entries()) {
      await clock.advance(minutes * 60_000);
      assert.equal(results, (count + 1) * endpoints.length);
      await clock.advance(60_000);
      await round(count + 2);
    }
    await watch.stop();
    assert.deepEqual(troubles, []);
  });
});

/** Leases of servers that all live in this process. */
function memoryLeases(held: Map<string, object>): FetchLeases {
  const leases: FetchLeases = {
    async take(key) {
      if (held.has(key)) return false;
      held.set(key, leases);
      return true;
    },
    async release(key) {
      if (held.get(key) === leases) held.delete(key);
    },
    async close() {
      for (const key of held.keys()) await leases.release(key);
    },
  };
  return leases;
}

describe('servers that share their rounds of canaries', () => {
  test('check each endpoint once a round, and continue when one server is gone', async () => {
    const clock = new FakeClock();
    const pages = platform(async () => {
      await clock.sleep(1000);
      throw new ExtractError('internal_error');
    });
    const calls: { readonly server: number; readonly path: string; readonly at: number }[] = [];
    const published = new Map<string, number>();
    const held = new Map<string, object>();
    const troubles: unknown[] = [];
    const watches = [0, 1, 2].map((server) => {
      const results = new Map<string, number>();
      return new CanaryWatch({
        ...{ endpoints, file: undefined, minutes: 60 },
        services: services(pages, clock),
        shared: {
          leases: memoryLeases(held),
          lastRound: async () => new Map(published),
          async publish() {
            for (const [path, at] of results) published.set(path, at);
          },
        },
        onResult({ path }, { at }) {
          calls.push({ server, path, at });
          results.set(path, at);
        },
        onError: (cause) => troubles.push(cause),
      });
    });
    const pass = async (minutes: number) => {
      for (let second = 0; second < minutes * 60; second += 5) await clock.advance(5000);
    };
    for (const watch of watches) {
      watch.start();
      await clock.advance(7_000);
    }
    await pass(30);
    assert.equal(calls.length, endpoints.length);
    await pass(65);
    assert.equal(calls.length, 2 * endpoints.length);
    // The one that asked ends; another one takes over.
    const last = calls.at(-1)?.server ?? 0;
    await watches[last]?.stop();
    await pass(65);
    assert.equal(calls.length, 3 * endpoints.length);
    assert.ok(calls.slice(-endpoints.length).every(({ server }) => server !== last));
    for (const { path } of endpoints) {
      const times = calls.filter((one) => one.path === path).map(({ at }) => at);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      assert.ok(
        gaps.every((gap) => gap >= 54 * 60_000 && gap <= 66 * 60_000),
        `${path}: ${gaps}`,
      );
    }
    for (const watch of watches) await watch.stop();
    assert.deepEqual(troubles, []);
  });
});
