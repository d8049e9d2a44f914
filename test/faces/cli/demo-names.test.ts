import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileTypeFromBuffer } from 'file-type';
import type { MapsPlace } from '../../../lib/platforms/maps/objects.js';
import { distance } from '../../../lib/platforms/maps/point.js';
import { argv, assertExit, dataOf, extract } from '../../support/cli.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = (name: string, lines?: readonly string[]) => {
  const input = path.join(folder, name);
  if (lines !== undefined) writeFileSync(input, lines.join('\n'));
  return input;
};
const textOf = (...names: readonly string[]) => readFileSync(path.join(...names), 'utf8');
const manifest = (dir: string) => ndjsonValues(textOf(dir, 'manifest.ndjson'));

const demo = async (args: readonly string[]) => assertExit(await extract([...args, '--demo']), 0);
const sampleOf = (args: readonly string[]) => dataOf([...args, '--demo']);

describe('a demo about a name that no sample has', () => {
  test('is counted before as sample data, and not as no inputs', async () => {
    const names = file('two.dry.txt', ['fern.atlas', 'moss.atlas']);
    const dry = argv`batch shortvideo/profile ${names} --demo --dry-run`;
    const { out } = await extract(dry, { stdoutColumns: 120 });
    assert.match(out, /^2 inputs of sample data: no requests to the platform\.\n/);
  });

  test('answers under that name, the same at each reading, and marks it as a sample', async () => {
    const one = await sampleOf(argv`shortvideo profile fern.atlas`);
    const profile_url = 'https://www.tiktok.com/@fern.atlas';
    const about = { username: 'fern.atlas', profile_url, display_name: 'Fern Atlas (sample)' };
    assert.partialDeepStrictEqual(one, about);
    assert.deepEqual(await sampleOf(argv`shortvideo profile fern.atlas`), one);
    const other = await sampleOf(argv`shortvideo profile moss.atlas`);
    assert.notEqual(other.follower_count, one.follower_count);
    const place = await sampleOf(argv`maps place ChIJN1t_tDeuEmsRUsoyG83frY4`);
    assert.equal(place.place_id, 'ChIJN1t_tDeuEmsRUsoyG83frY4');
    assert.match(place.name, /\(sample, language de\)$/);
  });

  test('the second run of --new has news, and not the whole list again', async () => {
    const names = file('three.txt', ['fern.atlas', 'moss.atlas', 'reed.atlas']);
    const count = async (run: string) => {
      const output = file(`${run}.ndjson`);
      await demo(argv`batch photosocial/posts ${names} --new demo --flatten -o ${output}`);
      return ndjsonValues(textOf(output)).length;
    };
    const first = await count('first');
    const second = await count('second');
    assert.equal(second, 3, 'one new post of each account');
    assert.ok(first > second, String(first));
  });

  test('an ID from a list can be followed, and the items refer to each other by the new IDs', async () => {
    const [video] = await sampleOf(argv`shortvideo videos fern.atlas`);
    const comments: { id: string; video_id: string; parent_comment_id: string | null }[] = await sampleOf(
      argv`shortvideo comments --id ${video.id}`,
    );
    const ids = new Set(comments.map(({ id }) => id));
    assert.equal(ids.size, comments.length);
    for (const { video_id, parent_comment_id: parent } of comments) {
      assert.equal(video_id, video.id);
      assert.ok(parent === null || ids.has(parent), String(parent));
    }
  });
});

describe('a demo of searches of maps', () => {
  const search = (lat: number, radius: number, ...more: string[]): Promise<MapsPlace[]> =>
    sampleOf(argv`maps places dentist --lat=${lat} --lng=23.72 --radius-m=${radius} ${more}`);

  test('shows the same places from each point, those within the radius alone', async () => {
    const from = { lat: 37.97, lng: 23.72 };
    const south = await search(from.lat, 1500);
    const north = await search(37.972, 1500);
    const byId = new Map(south.map((place) => [place.place_id, place]));
    const shared = north.filter(({ place_id }) => byId.has(place_id));
    assert.ok(shared.length >= 10, String(shared.length));
    for (const place of shared) assert.deepEqual(place, byId.get(place.place_id));
    const [inSouth, inNorth] = [south, north].map((places) => places.map(({ place_id }) => place_id));
    assert.notDeepEqual(inSouth, inNorth, 'the order is that of each point');
    for (const { location, name } of south) {
      assert.ok(location !== null && distance(location, from) <= 1500);
      assert.match(name, /^Dentist .*\(sample\)$/);
    }
  });

  test('ends its lists, with each place once', async () => {
    const places = await search(37.97, 5000, '--all');
    assert.equal(new Set(places.map(({ place_id }) => place_id)).size, places.length);
    assert.ok(places.length > 20 && places.length <= 60, String(places.length));
  });
});

test('--media with --demo saves sample pictures, marked with the address they replace', async () => {
  const names = file('media.txt', ['fern.atlas', 'moss.atlas']);
  const dir = file('pictures');
  const args = argv`batch shortvideo/profile ${names} -o ${file('media.ndjson')} --media ${dir}`;
  assert.match((await demo(args)).err, /Media: /);
  const lines = manifest(dir);
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
  const saved = (dir: string) => manifest(dir).filter(({ captions }) => captions !== undefined);

  test('batch --media --captions saves each with its text, and the lines are those without it', async () => {
    const ids = file('videos.txt', ['7571000000000000201', '7571000000000000999']);
    const [plain, output, dir] = [file('plain.ndjson'), file('captions.ndjson'), file('captions')];
    const batch = argv`batch shortvideo/video ${ids} -o`;
    await demo([...batch, plain]);
    await demo(argv`${batch} ${output} --media ${dir} --captions`);
    assert.equal(textOf(output), textOf(plain));
    const lines = saved(dir);
    const names = lines.map(({ item, captions: { language, kind } }) => `${item} ${language} ${kind}`);
    assert.deepEqual(names.sort(), [
      ...['7571000000000000201 eng-US translated', '7571000000000000201 spa-ES original'],
      ...['7571000000000000999 eng-US translated', '7571000000000000999 spa-ES original'],
    ]);
    for (const { file: name, text, type } of lines) {
      assert.equal(type, 'text/vtt');
      assert.match(textOf(dir, name), /^WEBVTT\n/);
      assert.match(textOf(dir, text.file), /^Sample instead of the captions/);
    }
  });

  test('extract media --captions saves captions of demo results without a request', async () => {
    const [results, dir] = [file('found.ndjson'), file('found')];
    await demo(argv`batch shortvideo/search ${file('found.txt', ['harbour'])} -o ${results}`);
    const { err } = await demo(argv`media ${results} ${dir} --captions`);
    assert.match(err, /Captions: 0 credits\n/);
    const items = new Set(saved(dir).map(({ item }) => item));
    const line: { data: { id: string }[] } = JSON.parse(textOf(results));
    assert.deepEqual([...items].sort(), line.data.map(({ id }) => id).sort());
  });

  test('saves none of what --when is not true of', async () => {
    const words = file('words.txt', ['harbour']);
    const dir = file('listed');
    const args = argv`batch shortvideo/search ${words} --media ${dir} --captions --new captions`;
    await demo(argv`${args} --when ${'like_count > 100000000'} -o ${file('none.ndjson')}`);
    assert.deepEqual(manifest(dir), []);
  });

  test('is refused without a folder, for pages without captions, and with a server', async () => {
    const args = argv`batch shortvideo/video ${file('videos.txt')} -o ${file('refused.ndjson')} --captions`;
    assert.match((await extract(args)).err, /--captions needs a folder/);
    const other = argv`batch photosocial/post ${file('videos.txt')} -o ${file('refused.ndjson')}`;
    const ran = await extract(argv`${other} --media ${file('m')} --captions`);
    assertExit(ran, 2, /have no captions.*Endpoints that do: .*shortvideo\/video/s);
  });
});
