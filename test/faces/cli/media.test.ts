import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
import { jpeg, type MediaUpstream, serve, startMediaUpstream } from '../../files/media/media-upstream.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { harbourMeta } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
let upstream: MediaUpstream;
let profile: Endpoint;
before(async () => {
  upstream = await startMediaUpstream();
  const real = endpoints.find(({ path: one }) => one === 'shortvideo/profile') as Endpoint;
  const media = {
    hosts: [`127.0.0.1:${upstream.port}`],
    fields: { shortvideo_profile: ['avatar_url'] },
    pace: { ms: 0, concurrency: 2 },
  };
  profile = { ...real, site: { ...real.site, media } };
});
after(() => upstream.close());

const meta = { ...harbourMeta, credits_charged: 1 };

const aProfile = (username: string) => ({
  username,
  avatar_url: `${upstream.origin}/${username}.jpg?sign=1`,
});

function run(args: readonly string[], more: Surroundings = {}, calls: string[] = []) {
  return extract(args, {
    endpoints: [profile, endpoints.find(({ path: one }) => one === 'pronetwork/company') as Endpoint],
    extractor: {
      async answer(_, params): Promise<Answer> {
        calls.push(String(params.username));
        return { source: 'platform', json: JSON.stringify(aProfile(String(params.username))), meta };
      },
    },
    ...more,
  });
}

function inputs(names: readonly string[]): string {
  const file = path.join(folder, `${names.join('-')}.txt`);
  writeFileSync(file, names.join('\n'));
  return file;
}

const manifest = (dir: string) => ndjsonValues(readFileSync(path.join(dir, 'manifest.ndjson'), 'utf8'));

describe('extract batch --media DIR', () => {
  test('saves the pictures of the answers while it runs, and reports failures', async () => {
    for (const [at, name] of ['ann', 'bob'].entries()) upstream.on(`/${name}.jpg`, serve(jpeg(100, at)));
    const output = path.join(folder, 'people.xlsx');
    const dir = path.join(folder, 'people');
    const { status, err } = await run(
      argv`batch ${profile.path} ${inputs(['ann', 'bob', 'eve'])} -o ${output} --media ${dir}`,
    );
    assert.equal(status, 7, 'a picture failed');
    assert.match(err, /3 inputs in .*: 3 answered/);
    assert.match(err, /Media: 2 files saved \(\d kB\), 1 failed, see manifest\.ndjson/);
    assert.deepEqual(readdirSync(dir).sort(), ['ann-1.jpg', 'bob-1.jpg', 'manifest.ndjson']);
    assert.equal(manifest(dir).length, 3);
    assert.equal(existsSync(output), true);

    upstream.on('/eve.jpg', serve(jpeg(100, 7)));
    assertExit(await run(['media', output, dir]), 0, /Media: 1 file saved \(\d kB\), 2 there already/);
    assert.equal(manifest(dir).length, 3);
  });

  test('a stop leaves no line without its pictures, and --resume continues with them', async () => {
    const stop = new AbortController();
    const names = ['p1', 'p2', 'p3'];
    for (const [at, name] of names.entries()) upstream.on(`/${name}.jpg`, serve(jpeg(100, 20 + at)));
    let isHeld = true;
    upstream.on('/p2.jpg', (request, response) => {
      if (!isHeld) return serve(jpeg(100, 21))(request, response);
      isHeld = false;
      setImmediate(() => stop.abort(new Interruption('SIGINT')));
    });
    const output = path.join(folder, 'stopped.ndjson');
    const dir = path.join(folder, 'stopped');
    const args = argv`batch ${profile.path} ${inputs(names)} -o ${output} --media ${dir}`;
    await run(args, { signal: stop.signal });
    const lineCount = readFileSync(output, 'utf8').split('\n').length - 1;
    assert.ok(lineCount < 2, 'the line of the picture that was held is not there');
    assertExit(await run([...args, '--resume']), 0);
    assert.equal(readFileSync(output, 'utf8').trim().split('\n').length, 3);
    const items = manifest(dir).map(({ item }) => item);
    assert.deepEqual(items.sort(), names);
  });

  test('is refused without pictures or without a file', async () => {
    const file = inputs(['ann']);
    const none = await run(argv`batch pronetwork/company ${file} -o x.ndjson --media d`);
    assertExit(none, 2, /have no pictures/);
    assert.equal((await run(argv`batch ${profile.path} ${file} --media d`)).status, 2);
  });
});

describe('extract media FILE', () => {
  test('reads the lines of a list command too, with the endpoint named', async () => {
    upstream.on('/zoe.jpg', serve(jpeg(100, 40)));
    const file = path.join(folder, 'list.ndjson');
    writeFileSync(file, `no json\n{"data":null,"meta":{}}\n${JSON.stringify(aProfile('zoe'))}`);
    assertExit(await run(['media', file]), 2, /Add --endpoint/);
    assertExit(await run(argv`media ${file} --endpoint ${profile.path}`), 0);
    assert.equal(manifest(`${file}.media`)[0].file, 'zoe-1.jpg');
    assert.equal((await run(['media', path.join(folder, 'none.ndjson')])).status, 2);
    assert.equal((await run(['media', path.join(folder, 'a.csv')])).status, 2);
  });
});

describe('extract media FILE --captions', () => {
  const vtt = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nTea.\n');
  const ids = ['7571000000000000201', '7571000000000000202', '7571000000000000203'];

  async function runCaptions(more: Surroundings = {}) {
    const real = endpoints.find(({ path: one }) => one === 'shortvideo/video') as Endpoint;
    const media = {
      ...{ hosts: [`127.0.0.1:${upstream.port}`], pace: { ms: 0, concurrency: 2 } },
      ...{ fields: { shortvideo_video: ['cover_image_url'] }, captions: 'shortvideo_video' },
    };
    const video: Endpoint = { ...real, site: { ...real.site, media } };
    const file = path.join(folder, 'videos.ndjson');
    writeFileSync(file, ids.map((id) => `${JSON.stringify({ id, cover_image_url: null })}\n`).join(''));
    const calls: unknown[] = [];
    const ran = await extract(argv`media ${file} ${file}.captions --endpoint ${video.path} --captions`, {
      endpoints: [video, profile],
      extractor: {
        async answer(_, params): Promise<Answer> {
          calls.push(params);
          const id = String(params.id);
          if (id === ids[2]) throw new ExtractError('platform_restricted', 'For adults.');
          const url = `${upstream.origin}/${id}.vtt`;
          const captions = JSON.stringify([
            { id, captions: [{ language: 'spa-ES', kind: 'original', url }] },
          ]);
          return { source: 'platform', json: JSON.stringify({ id }), sources: '[]', captions, meta };
        },
      },
      ...more,
    });
    return { ...ran, asked: calls, dir: `${file}.captions` };
  }

  test('requests each video again, and names what could not be requested or saved', async () => {
    upstream.on(`/${ids[0]}.vtt`, serve(vtt, 'text/vtt'));
    const { err, asked, dir } = assertExit(await runCaptions(), 7);
    const questions = ids.map((id) => ({ id, sources: true }));
    assert.deepEqual(asked, questions);
    assert.match(err, /Media: 1 file saved \(\d kB\), 1 failed/);
    assert.match(err, /Captions: 2 credits; 1 item could not be requested: platform_restricted \(1\)/);
    const outcomes = manifest(dir).map(({ file: name, error }) => name ?? error.code);
    assert.deepEqual(outcomes.sort(), [`${ids[0]}.spa-ES.original.vtt`, 'invalid_url']);
    assert.equal(readFileSync(path.join(dir, `${ids[0]}.spa-ES.original.txt`), 'utf8'), 'Tea.\n');
  });

  test('is refused for results whose pages name none', async () => {
    const file = path.join(folder, 'list.ndjson');
    assertExit(await run(argv`media ${file} --endpoint ${profile.path} --captions`), 2, /name no captions/);
  });
});
