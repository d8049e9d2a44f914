import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileTypeFromBuffer } from 'file-type';
import type { MapsPlace } from '../../../lib/platforms/maps/objects.js';
import { distance } from '../../../lib/platforms/maps/point.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = (name: string, lines?: readonly string[]) => {
  const input = path.join(folder, name);
  if (lines !== undefined) writeFileSync(input, lines.join('\n'));
  return input;
};

async function demo(...args: readonly string[]) {
  const ran = assertExit(await extract([...args, '--demo']), 0);
  return ran;
}

const dataOf = async (...args: readonly string[]) => JSON.parse((await demo(...args)).out).data;

describe('a demo about a name that no sample has', () => {
  test('is counted before as sample data, and not as no inputs', async () => {
    const names = file('two.dry.txt', ['fern.atlas', 'moss.atlas']);
    const { out } = await extract(argv`batch shortvideo/profile ${names} --demo --dry-run`, {
      stdoutColumns: 120,
    });
    assert.match(out, /^2 inputs of sample data: no requests to the platform\.\n/);
  });

  test('answers under that name, the same at each reading, and marks it as a sample', async () => {
    const one = await dataOf('shortvideo', 'profile', 'fern.atlas');
    assert.deepEqual(
      [one.username, one.profile_url, one.display_name],
      ['fern.atlas', 'https://www.tiktok.com/@fern.atlas', 'Fern Atlas (sample)'],
    );
    assert.deepEqual(await dataOf('shortvideo', 'profile', 'fern.atlas'), one);
    const other = await dataOf('shortvideo', 'profile', 'moss.atlas');
    assert.notEqual(other.follower_count, one.follower_count);
    const place = await dataOf('maps', 'place', 'ChIJN1t_tDeuEmsRUsoyG83frY4');
    assert.equal(place.place_id, 'ChIJN1t_tDeuEmsRUsoyG83frY4');
    assert.match(place.name, /\(sample, language de\)$/);
  });

  test('the second run of --new has news, and not the whole list again', async () => {
    const names = file('three.txt', ['fern.atlas', 'moss.atlas', 'reed.atlas']);
    const count = async (run: string) => {
      const output = file(`${run}.ndjson`);
      await demo('batch', 'photosocial/posts', names, '--new', 'demo', '--flatten', '-o', output);
      return readFileSync(output, 'utf8').trim().split('\n').length;
    };
    const first = await count('first');
    const second = await count('second');
    assert.equal(second, 3, 'one new post of each account');
    assert.ok(first > second, String(first));
  });

  test('an ID from a list can be followed, and the items refer to each other by the new IDs', async () => {
    const [video] = await dataOf('shortvideo', 'videos', 'fern.atlas');
    const comments = (await dataOf('shortvideo', 'comments', '--id', video.id)) as {
      id: string;
      video_id: string;
      parent_comment_id: string | null;
    }[];
    const ids = new Set(comments.map(({ id }) => id));
    assert.equal(ids.size, comments.length);
    for (const { video_id, parent_comment_id: parent } of comments) {
      assert.equal(video_id, video.id);
      assert.ok(parent === null || ids.has(parent), String(parent));
    }
  });
});

describe('a demo of searches of maps', () => {
  const search = (lat: number, radius: number, ...more: string[]) =>
    dataOf('maps', 'places', 'dentist', `--lat=${lat}`, '--lng=23.72', `--radius-m=${radius}`, ...more);

  test('shows the same places from each point, those within the radius alone', async () => {
    const from = { lat: 37.97, lng: 23.72 };
    const south = (await search(from.lat, 1500)) as MapsPlace[];
    const north = (await search(37.972, 1500)) as MapsPlace[];
    const byId = new Map(south.map((place) => [place.place_id, place]));
    const shared = north.filter(({ place_id }) => byId.has(place_id));
    assert.ok(shared.length >= 10, String(shared.length));
    for (const place of shared) assert.deepEqual(place, byId.get(place.place_id));
    assert.notDeepEqual(
      south.map(({ place_id }) => place_id),
      north.map(({ place_id }) => place_id),
      'the order is that of each point',
    );
    for (const { location, name } of south) {
      assert.ok(location !== null && distance(location, from) <= 1500);
      assert.match(name, /^Dentist .*\(sample\)$/);
    }
  });

  test('ends its lists, with each place once', async () => {
    const places = (await search(37.97, 5000, '--all')) as MapsPlace[];
    assert.equal(new Set(places.map(({ place_id }) => place_id)).size, places.length);
    assert.ok(places.length > 20 && places.length <= 60, String(places.length));
  });
});

test('--media with --demo saves sample pictures, marked with the address they replace', async () => {
  const names = file('media.txt', ['fern.atlas', 'moss.atlas']);
  const dir = file('pictures');
  const args = argv`batch shortvideo/profile ${names} -o ${file('media.ndjson')} --media ${dir}`;
  assert.match((await demo(...args)).err, /Media: /);
  const lines = ndjsonValues(readFileSync(path.join(dir, 'manifest.ndjson'), 'utf8'));
  assert.equal(lines.length, 2);
  for (const { file: name, type, bytes, address } of lines) {
    const picture = readFileSync(path.join(dir, name));
    assert.deepEqual([picture.length, type], [bytes, 'image/png']);
    assert.equal((await fileTypeFromBuffer(picture))?.mime, 'image/png');
    assert.ok(picture.includes(`Sample instead of ${address}`));
  }
});

describe('captions with --demo', () => {
  /** The names that lines have in a manifest. */
  const saved = (dir: string) =>
    ndjsonValues(readFileSync(path.join(dir, 'manifest.ndjson'), 'utf8')).filter(
      ({ captions }) => captions !== undefined,
    );

  test('batch --media --captions saves each with its text, and the lines are those without it', async () => {
    const ids = file('videos.txt', ['7571000000000000201', '7571000000000000999']);
    const plain = file('plain.ndjson');
    await demo('batch', 'shortvideo/video', ids, '-o', plain);
    const dir = file('captions');
    const output = file('captions.ndjson');
    await demo('batch', 'shortvideo/video', ids, '-o', output, '--media', dir, '--captions');
    assert.equal(readFileSync(output, 'utf8'), readFileSync(plain, 'utf8'));
    const lines = saved(dir);
    assert.deepEqual(lines.map(({ item, captions: { language, kind } }) => [item, language, kind]).sort(), [
      ['7571000000000000201', 'eng-US', 'translated'],
      ['7571000000000000201', 'spa-ES', 'original'],
      ['7571000000000000999', 'eng-US', 'translated'],
      ['7571000000000000999', 'spa-ES', 'original'],
    ]);
    for (const { file: name, text, type } of lines) {
      assert.equal(type, 'text/vtt');
      assert.match(readFileSync(path.join(dir, name), 'utf8'), /^WEBVTT\n/);
      assert.match(readFileSync(path.join(dir, text.file), 'utf8'), /^Sample instead of the captions/);
    }
  });

  test('extract media --captions saves captions of demo results without a request', async () => {
    const results = file('found.ndjson');
    await demo('batch', 'shortvideo/search', file('found.txt', ['harbour']), '-o', results);
    const dir = file('found');
    const { err } = await demo('media', results, dir, '--captions');
    assert.match(err, /Captions: 0 credits\n/);
    const items = new Set(saved(dir).map(({ item }) => item));
    const line: { data: { id: string }[] } = JSON.parse(readFileSync(results, 'utf8'));
    assert.deepEqual([...items].sort(), line.data.map(({ id }) => id).sort());
  });

  test('saves none of what --when is not true of', async () => {
    const words = file('words.txt', ['harbour']);
    const dir = file('listed');
    const args = argv`batch shortvideo/search ${words} --media ${dir} --captions --new captions`;
    await demo(...args, '--when', 'like_count > 100000000', '-o', file('none.ndjson'));
    assert.equal(readFileSync(path.join(dir, 'manifest.ndjson'), 'utf8'), '');
  });

  test('is refused without a folder, for pages without captions, and with a server', async () => {
    const args = argv`batch shortvideo/video ${file('videos.txt')} -o ${file('refused.ndjson')} --captions`;
    assert.match((await extract(args)).err, /--captions needs a folder/);
    const other = argv`batch photosocial/post ${file('videos.txt')} -o ${file('refused.ndjson')}`;
    const ran = await extract(argv`${other} --media ${file('m')} --captions`);
    assertExit(ran, 2, /name no captions.*Endpoints that do: .*shortvideo\/video/s);
  });
});
