import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import type { Json } from '../../../lib/read/json.js';
import type { PageSession } from '../../../lib/web/page-source.js';
import { loopback } from '../../support/loopback.js';
import { network } from '../../support/network.js';
import { sparse } from '../../support/sparse.js';

const endpoint = reviews as Endpoint;
const count = 5000;

const review = (id: number) =>
  sparse({
    1: 5,
    '2.2': String(1780000000000 + id),
    3: ['Mira'],
    5: `review-${id}`,
    12: 'https://www.google.com/maps/reviews/data=!4m8!2m1!1s0x0:0x2',
  });

/** The page that a request asks for: as many rows as it says, 60 at most. */
function pageFor(url: URL): unknown {
  const request = JSON.parse(url.searchParams.get('reqpld') ?? 'null')[1][9];
  const from = Number(request[19] || 0);
  const end = Math.min(count, from + Math.min(60, request[9]));
  return sparse({
    '1.10.2': Array.from({ length: end - from }, (_, at) => review(from + at)),
    '1.10.6': end < count ? String(end) : null,
  });
}

test('five thousand reviews take at most ninety requests, twenty a call', async (t) => {
  let requests = 0;
  const place = sparse({ '6.10': '0x1:0x2', '6.11': 'Name', '6.4.7': 4, '6.4.8': count });
  const { origin } = await loopback(t, (request, response) => {
    requests += 1;
    const url = new URL(request.url ?? '', origin);
    const isList = url.pathname.endsWith('GetLocalBoqProxy');
    response.end(`)]}'\n${JSON.stringify(isList ? pageFor(url) : place)}`);
  });
  const pages = network(t);
  const site = {
    ...endpoint.site,
    hosts: [new URL(origin).hostname],
    surfaces: { page: { ms: 0, concurrency: 1 } },
  };
  const open = (): PageSession => {
    const session = pages.open(site);
    return {
      fetch: (request) =>
        session.fetch({ ...request, url: request.url.replace('https://www.google.com', origin) }),
      cookie: (url, name) => session.cookie(url, name),
      end: (error) => session.end(error),
    };
  };
  const identity = endpoint.identify({ place_id: '0x1:0x2', sort: 'newest' });
  const ids = new Set<string>();
  for (let position: Json = null; ; ) {
    const session = open();
    const answer = await endpoint.read({ identity, limit: 20, position, session });
    session.end();
    for (const id of answer.ids ?? []) ids.add(id);
    if ((answer.next ?? null) === null) {
      assert.deepEqual([answer.ended, answer.total], ['end', count]);
      break;
    }
    position = answer.next as Json;
  }
  assert.equal(ids.size, count);
  assert.ok(requests <= 90, `${requests} requests`);
});
