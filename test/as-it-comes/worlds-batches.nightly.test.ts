import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { placeIdOf } from '../../lib/platforms/maps/ids.js';
import { hourMs, minuteMs } from '../../lib/runtime/clock.js';
import { machineIn } from '../support/worlds/as-it-comes.js';
import { featureId, reviewedPlace } from '../support/worlds/maps.js';
import { account, commentedPost } from '../support/worlds/photosocial.js';
import { company, jobQuery } from '../support/worlds/pronetwork.js';
import { profileAccount } from '../support/worlds/shortvideo.js';

// How long a user at home waits with default settings, measured on a clock that advances only while the process is
// idle.

const inputs = (count: number, of: (number: number) => object) =>
  Array.from({ length: count }, (_, at) => `${JSON.stringify(of(at + 1))}\n`).join('');

interface Batch {
  readonly name: string;
  readonly endpoint: string;
  readonly lines: string;
  readonly minutes: number;
  /** The told time is at most this share off. */
  readonly within?: number;
  /** Requests by place. */
  readonly asks: Readonly<Record<string, number>>;
}

const batches: readonly Batch[] = [
  {
    name: '300 Instagram profiles take a quarter of an hour, and not one page of the site',
    endpoint: 'photosocial/profile',
    lines: inputs(300, (number) => ({ username: `${account}.${number}` })),
    minutes: 16,
    within: 0.25,
    asks: { 'Instagram embeds': 300, 'Instagram documents of the app': 300 },
  },
  {
    name: '60 lists of Instagram comments ask for five pages, which prove nothing each, and then for documents alone',
    endpoint: 'photosocial/comments',
    lines: inputs(60, (number) => ({ shortcode: commentedPost(number) })),
    minutes: 3.3,
    asks: { 'Instagram pages': 5, 'Instagram embeds': 55, 'Instagram documents of pages': 60 },
  },
  {
    name: '300 TikTok profiles learn from the first one that their pages wait',
    endpoint: 'shortvideo/profile',
    lines: inputs(300, (number) => ({ username: profileAccount(number) })),
    minutes: 30.1,
    asks: { 'TikTok pages': 1, 'TikTok embeds': 600 },
  },
  {
    name: '20 job searches of 25 are whole',
    endpoint: 'pronetwork/jobs',
    lines: inputs(20, (number) => ({ query: `${jobQuery} ${number}`, limit: 25 })),
    minutes: 30,
    within: 0.25,
    // Two jobs of each search are closed, and read from their own pages.
    asks: { 'LinkedIn guest interface': 20 * 28, 'LinkedIn job pages': 20 * 2 },
  },
  {
    name: '50 companies',
    endpoint: 'pronetwork/company',
    lines: inputs(50, (number) => ({ vanity_name: `${company}-${number}` })),
    minutes: 7,
    within: 0.25,
    asks: { 'LinkedIn pages': 50 },
  },
  {
    name: '1,000 places',
    endpoint: 'maps/place',
    lines: inputs(1000, (number) => ({ place_id: placeIdOf(featureId(number) as never), language: 'de' })),
    minutes: 17,
    within: 0.25,
    asks: { 'Google Maps place data': 1000 },
  },
];

/** What is null in no line of these, although a refused place would leave it so. */
const fullPages: Readonly<Record<string, string>> = {
  'photosocial/profile': 'follows_count',
  'pronetwork/jobs': 'description',
};

describe('a batch at home, as it comes', () => {
  for (const { name, endpoint, lines, minutes, within, asks } of batches) {
    test(name, async (t) => {
      const { run, arrivals, unknown, folder, withBrowser, hasOpenedBrowser } = await machineIn(t, 'home');
      const [input, output] = [path.join(folder, 'inputs.ndjson'), path.join(folder, 'output.ndjson')];
      writeFileSync(input, lines);
      const config = withBrowser;
      const dry = await run(['batch', endpoint, input, '--dry-run'], { config });
      const estimate = (JSON.parse(dry.out) as { data: { seconds: number } }).data.seconds;
      const { status, seconds, err } = await run(['batch', endpoint, input, '-o', output], { config });
      assert.equal(status, 0, err);
      assert.deepEqual(unknown, []);
      assert.equal(hasOpenedBrowser(), false);
      const answers = readFileSync(output, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(answers.length, lines.trimEnd().split('\n').length);
      const field = fullPages[endpoint];
      if (field !== undefined) {
        const lacking = answers.filter(({ data }) => [data].flat().some((item) => item[field] === null));
        assert.deepEqual(lacking, []);
      }
      const requestsOf = new Map<string, number>();
      for (const { place } of arrivals) requestsOf.set(place.name, (requestsOf.get(place.name) ?? 0) + 1);
      assert.deepEqual(Object.fromEntries(requestsOf), asks);
      assert.ok(seconds <= minutes * 60, `${seconds} s`);
      if (within !== undefined)
        assert.ok(
          Math.abs(estimate - seconds) <= within * seconds,
          `${estimate} s told, ${seconds} s measured`,
        );
    });
  }

  const manyReviews = 5000;
  test(`${manyReviews} reviews take 90 requests at most`, async (t) => {
    const { run, arrivals } = await machineIn(t, 'home');
    const place = ['--place-id', placeIdOf(reviewedPlace(manyReviews) as never)];
    const { status, out, err, seconds } = await run([
      'maps',
      'reviews',
      ...place,
      '--sort',
      'newest',
      '--all',
      '--json',
    ]);
    assert.equal(status, 0, err);
    const { data } = JSON.parse(out) as { data: { text: string }[] };
    assert.deepEqual(
      data.map(({ text }) => text),
      Array.from({ length: manyReviews }, (_, at) => `Review ${at}`),
    );
    assert.ok(arrivals.length <= 90, `${arrivals.length} requests`);
    assert.ok(seconds <= 90, `${seconds} s`);
  });

  test('a night of 300 places with three hours of refusals answers all of them', async (t) => {
    let refusing = () => false;
    const { run, arrivals, clock, folder } = await machineIn(t, 'home', undefined, () =>
      refusing() ? { status: 429, body: 'Too many requests' } : undefined,
    );
    const refusedFrom = clock.now() + 2 * minuteMs;
    refusing = () => clock.now() >= refusedFrom && clock.now() < refusedFrom + 3 * hourMs;
    const [input, output] = [path.join(folder, 'places.ndjson'), path.join(folder, 'output.ndjson')];
    writeFileSync(
      input,
      inputs(300, (number) => ({ place_id: placeIdOf(featureId(number) as never), language: 'de' })),
    );
    const { status, err, seconds } = await run(['batch', 'maps/place', input, '-o', output]);
    assert.equal(status, 0, err);
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
    assert.equal(lines.filter((line) => 'data' in JSON.parse(line)).length, 300);
    // One sentence and one request for each pause: from a minute, twice as long each time, to an hour.
    assert.deepEqual(err.match(/(?<=^Waiting )[^,]*/gm), [
      '60 s',
      '2 min',
      '4 min',
      '8 min',
      '16 min',
      '32 min',
      '60 min',
      '60 min',
    ]);
    assert.ok(arrivals.length <= 308, `${arrivals.length} requests`);
    assert.ok(seconds < 3.2 * 3600, `${seconds} s`);
  });
});
