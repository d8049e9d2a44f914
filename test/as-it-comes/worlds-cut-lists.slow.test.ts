import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { placeIdOf } from '../../lib/platforms/maps/ids.js';
import { decodedBody } from '../../lib/web/routes.js';
import type { Answers } from '../support/browser-site.js';
import { machineIn } from '../support/worlds/as-it-comes.js';
import { featureId, reviewedPlace } from '../support/worlds/maps.js';
import { account } from '../support/worlds/photosocial.js';
import { type WorldName, worlds } from '../support/worlds/place.js';
import { json } from '../support/worlds/recorded-pages.js';
import { profileAccount } from '../support/worlds/shortvideo.js';
import { places } from '../support/worlds/world.js';

// Lists that platforms cut off for logged-out visitors: shown items stay, the batch does not wait, and no other input
// is stopped.

const asksForLogin = {
  status: 401,
  ...json(
    '{"message":"Please wait a few minutes before you try again.","require_login":true,"status":"fail"}',
  ),
};

let logins = 0;
/** The list of posts leads on, and to a login, which every second account is asked for without a word. */
const loginAfterFirstPart: Answers = (request) => {
  const form = decodedBody(request.body);
  if (form.includes('TabContentQuery_connection')) {
    logins += 1;
    return logins % 2 === 0 ? { status: 401 } : asksForLogin;
  }
  if (!form.includes('PolarisProfilePostsQuery')) return undefined;
  const answer = places.find((one) => one.takes(request))?.page(request);
  const body = answer?.body?.replace(
    '"end_cursor":null,"has_next_page":false',
    '"end_cursor":"next","has_next_page":true',
  );
  return { ...answer, body: body ?? '' };
};

const noRows = JSON.stringify([['wrb.fr', 'hspqX', JSON.stringify([null, null, null, null, null, 'CAES'])]]);
/** The next page of a gallery has no rows. */
const galleryWithoutRows: Answers = ({ query }) =>
  query.get('rpcids') === 'hspqX' ? json(`)]}'\n\n9\n${noRows}\n`) : undefined;

interface CutList {
  readonly endpoint: string;
  readonly paramsOf: (number: number) => Readonly<Record<string, string>>;
  readonly cut?: Answers;
  /** Items of each input and requests for all inputs. */
  readonly shown: Readonly<Record<WorldName, { readonly given: number; readonly requests: number }>>;
}

const lists: readonly CutList[] = [
  {
    endpoint: 'photosocial/posts',
    paramsOf: (number) => ({ username: `${account}.${number}` }),
    cut: loginAfterFirstPart,
    shown: { home: { given: 7, requests: 24 }, datacentre: { given: 6, requests: 30 } },
  },
  {
    endpoint: 'maps/photos',
    paramsOf: (number) => ({ place_id: placeIdOf(featureId(number) as never) }),
    cut: galleryWithoutRows,
    shown: { home: { given: 19, requests: 12 }, datacentre: { given: 19, requests: 12 } },
  },
  {
    endpoint: 'shortvideo/videos',
    paramsOf: (number) => ({ username: profileAccount(number) }),
    shown: { home: { given: 6, requests: 43 }, datacentre: { given: 6, requests: 78 } },
  },
];

const inputs = 6;
/** The longest that a batch of six takes at the pace of its platform, in seconds. A cool-down takes a minute. */
const patience = 130;

for (const name of worlds) {
  describe(`six lists that are cut off, as they come, ${name === 'home' ? 'at home' : 'in a datacentre'}`, () => {
    for (const { endpoint, paramsOf, cut, shown } of lists) {
      const { given, requests } = shown[name];
      test(`${endpoint}: ${inputs} times ${given}`, async (t) => {
        const { run, arrivals, unknown, folder } = await machineIn(t, name, undefined, cut);
        const [input, output] = [path.join(folder, 'inputs.ndjson'), path.join(folder, 'output.ndjson')];
        const line = (_: unknown, at: number) => `${JSON.stringify(paramsOf(at + 1))}\n`;
        writeFileSync(input, Array.from({ length: inputs }, line).join(''));
        const { status, seconds, err } = await run(['batch', endpoint, input, '-o', output, '--all']);
        const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
        const answers = lines.map((text) => JSON.parse(text));
        assert.deepEqual(
          answers.map(({ data, coverage }) => [data.length, coverage.ended]),
          Array(inputs).fill([given, 'visitors']),
        );
        // The end of a list is no failure.
        assert.ok(answers.every(({ error }) => error === undefined));
        assert.equal(status, 0, err);
        assert.match(err, / 6 answered, 6 of them partial\./);
        assert.doesNotMatch(err, /fewer requests|Waiting/);
        assert.deepEqual([arrivals.length, unknown], [requests, []]);
        assert.ok(seconds <= patience, `${seconds} s`);
        const params = Object.entries(paramsOf(inputs + 1)).flatMap(([key, value]) => [
          `--${key.replace('_', '-')}`,
          value,
        ]);
        const beside = await run([...endpoint.split('/'), ...params, '--json']);
        assert.equal(beside.status, 0, beside.err);
        assert.ok(beside.seconds < 30, `${beside.seconds} s until the next call is answered`);
      });
    }
  });
}

const everyReview = Array.from({ length: 600 }, (_, at) => `Review ${at}`);

test(`${everyReview.length} reviews: one failure of the server is tried again, a lasting one leaves what came`, async (t) => {
  let requestCount = 0;
  const failing = new Set([4]);
  const { run, folder } = await machineIn(t, 'home', undefined, ({ path: at }) => {
    if (!at.endsWith('/GetLocalBoqProxy')) return undefined;
    requestCount += 1;
    return failing.has(requestCount) ? { status: 500 } : undefined;
  });
  const [input, output] = [path.join(folder, 'places.csv'), path.join(folder, 'reviews.ndjson')];
  writeFileSync(input, `place_id,sort\n${placeIdOf(reviewedPlace(everyReview.length) as never)},newest\n`);
  const args = ['batch', 'maps/reviews', input, '-o', output, '--all'];
  const texts = () => JSON.parse(readFileSync(output, 'utf8')).data.map(({ text }: { text: string }) => text);

  const once = await run(args);
  assert.equal(once.status, 0, once.err);
  assert.deepEqual([texts(), requestCount], [everyReview, 11]);

  for (const number of [6, 7, 8]) failing.add(requestCount + number);
  const lasting = await run([...args, '--overwrite', '--fresh']);
  assert.equal(lasting.status, 7, lasting.err);
  assert.match(lasting.err, / 1 failed \(1 platform unavailable\), 1 of them with earlier pages\./);
  assert.deepEqual(texts(), everyReview.slice(0, 300));
  assert.equal(requestCount, 11 + 8);

  const retried = await run([...args, '--retry-failed', '--fresh']);
  assert.equal(retried.status, 0, retried.err);
  assert.deepEqual([texts(), requestCount], [everyReview, 11 + 8 + 5]);
});
