import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { EndpointReader } from '../../lib/call/read-endpoint.js';
import { ReaderThread } from '../../lib/call/reader-thread.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { type Case, casesOf, identityOf } from '../../lib/samples.js';
import { page } from '../../lib/web/page.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { wrapFetches } from '../../lib/web/wrap-fetches.js';
import { stoppedClock } from '../support/cases.js';
import { FakeClock } from '../support/fake-clock.js';
import { fixturesOf } from '../support/fixtures.js';
import { LoopWatch } from '../support/loop-watch.js';

/** Milliseconds for which a page may hold the event loop. */
const maxTurn = 50;
/** Bytes of the largest page that is read from every platform. */
const largest = 5 * 1024 * 1024;

/** The pages of a case, each of them changed. */
const changed = (endpoint: Endpoint, { pages }: Case, change: (text: string) => string): PageSource =>
  wrapFetches(routeSource(fixturesOf(endpoint), pages), (fetch) => async (request) => {
    const { url, status, headers, body } = await fetch(request);
    const { 'content-type': _, ...rest } = headers;
    return page(url, status, rest, Buffer.from(change(Buffer.from(body).toString())));
  });

/** What a case comes to: its answer, or its error. */
async function outcomeOf(
  endpoint: Endpoint,
  one: Case,
  change: (text: string) => string,
  reader?: EndpointReader,
): Promise<unknown> {
  const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
  const request = {
    endpoint,
    identity: identityOf(endpoint, one),
    position: firstPosition,
    limit,
    read: reader,
  };
  return fetchAnswer(request, changed(endpoint, one, change), stoppedClock).then(
    ({ answer, seconds }) => ({ answer, seconds }),
    (error: unknown) => {
      assert.ok(error instanceof ExtractError, String(error));
      const { code, message, retryAfter, seen: pages } = error;
      return { code, message, retryAfter, seen: pages };
    },
  );
}

/** White space behind a page, which changes nothing about it but that it is large. */
const padded = (text: string) => text + ' '.repeat(300_000);

const firstCase = async (endpoint: Endpoint): Promise<Case> => {
  const cases = await casesOf(endpoint);
  return cases.find(({ expect }) => (expect?.length ?? 0) > 0) ?? assert.fail(endpoint.path);
};

describe('a thread that reads large pages', () => {
  const thread = new ReaderThread(stoppedClock);
  after(() => thread.close());

  test('every endpoint reads and fails in the thread as it does inline', async () => {
    for (const endpoint of endpoints) {
      const cases = await casesOf(endpoint);
      const failing = cases.filter(({ error }) => error !== undefined).slice(0, 4);
      for (const one of [...cases.slice(0, 2), ...failing]) {
        const [here, there] = await Promise.all([
          outcomeOf(endpoint, one, padded),
          outcomeOf(endpoint, one, padded, thread.read),
        ]);
        assert.deepEqual(there, here, `${endpoint.path}: ${one.name}`);
      }
    }
  });

  test('pages of 5 MB block the event loop for less than 50 ms, whatever their content', async () => {
    const watch = new LoopWatch();
    const fill = (text: string) => text.repeat(Math.floor(largest / text.length));
    const keys = Array.from({ length: 380_000 }, (_, at) => `"k${at}":${at}`).join();
    const attributes = Array.from({ length: 380_000 }, (_, at) => `a${at}="${at % 10}"`).join(' ');
    const fills = {
      brackets: fill('['),
      'white space': fill(' '),
      'less than': fill('<'),
      breaks: fill('<br>'),
      elements: fill('<div>x</div>'),
      'lists of links': fill('<li><a href="/x">y</a></li>'),
      'empty scripts': fill('<script type="application/ld+json">{}</script>'),
      keys: `{${keys}}`,
      attributes: `<p ${attributes}>`,
    };
    try {
      for (const [path, isWhole, ...names] of [
        ['pronetwork/profile', true, 'empty scripts', 'lists of links'],
        ['pronetwork/profile', false, 'breaks', 'less than', 'attributes'],
        ['maps/photos', false, 'brackets', 'white space', 'keys'],
        ['photosocial/post', true, 'elements', 'brackets'],
        ['shortvideo/video', true, 'keys', 'less than'],
      ] as const) {
        const endpoint = endpoints.find((one) => one.path === path) ?? assert.fail(path);
        const one = await firstCase(endpoint);
        for (const name of names) {
          const body = Buffer.from(fills[name]);
          const source = wrapFetches(
            changed(endpoint, one, (text) => (isWhole ? text : '')),
            (fetch) => async (request) => {
              const { url, status, headers, body: ownBody } = await fetch(request);
              const fullBody = Buffer.concat([ownBody, body.subarray(0, largest - ownBody.byteLength)]);
              await new Promise(setImmediate);
              watch.take();
              return page(url, status, headers, fullBody);
            },
          );
          const limit = endpoint.page?.max ?? 1;
          const identity = identityOf(endpoint, one);
          const request = { endpoint, identity, position: firstPosition, limit, read: thread.read };
          await fetchAnswer(request, source, stoppedClock).catch(() => undefined);
          await new Promise(setImmediate);
          const worst = watch.take();
          assert.ok(
            worst <= maxTurn,
            `${path}, ${name} ${isWhole ? 'behind the page' : 'alone'}: ${worst.toFixed(0)} ms`,
          );
        }
      }
    } finally {
      watch.stop();
    }
  });

  test('small pages start no thread', async () => {
    const unable = new ReaderThread(stoppedClock, new URL('file:///nothing/there.js'));
    for (const endpoint of endpoints) {
      const one = await firstCase(endpoint);
      assert.deepEqual(
        await outcomeOf(endpoint, one, (text) => text, unable.read),
        await outcomeOf(endpoint, one, (text) => text),
      );
    }
  });

  test('if no thread can start, a large page is read here', async () => {
    const unable = new ReaderThread(stoppedClock, new URL('file:///nothing/there.js'));
    const [endpoint] = endpoints;
    assert.ok(endpoint !== undefined);
    const one = await firstCase(endpoint);
    for (const _ of [1, 2]) {
      assert.deepEqual(
        await outcomeOf(endpoint, one, padded, unable.read),
        await outcomeOf(endpoint, one, padded),
      );
    }
  });

  test('a page that takes too long ends the thread, and the next page starts another', async () => {
    const clock = new FakeClock();
    const short = new ReaderThread(clock);
    const endpoint = endpoints.find(({ path }) => path === 'maps/photos') ?? assert.fail();
    const one = await firstCase(endpoint);
    try {
      const good = await outcomeOf(endpoint, one, padded);
      assert.deepEqual(await outcomeOf(endpoint, one, padded, short.read), good);
      const outcome = outcomeOf(endpoint, one, () => '['.repeat(largest), short.read);
      await clock.untilSleeping(1);
      await clock.advance(30_000);
      assert.equal(((await outcome) as { code: string }).code, 'internal_error');
      assert.deepEqual(await outcomeOf(endpoint, one, padded, short.read), good);
    } finally {
      await short.close();
    }
  });
});
