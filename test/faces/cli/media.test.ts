import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
import { jpeg, serve, startMediaUpstream } from '../../files/media/media-upstream.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { anAnswer } from '../../support/invented-rows.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const upstream = await startMediaUpstream();
after(() => upstream.close());

/** An endpoint of the table whose pictures come from the test's own host. */
function withMedia(name: string, media: { fields: Record<string, string[]>; captions?: 'shortvideo_video' }) {
  const real = endpoints.find(({ path: one }) => one === name) ?? assert.fail();
  const host = { hosts: [`127.0.0.1:${upstream.port}`], pace: { ms: 0, concurrency: 2 } };
  return { ...real, site: { ...real.site, media: { ...host, ...media } } };
}
const profile = withMedia('shortvideo/profile', { fields: { shortvideo_profile: ['avatar_url'] } });
const company = endpoints.find(({ path: one }) => one === 'pronetwork/company') ?? assert.fail();

const meta = { credits_charged: 1 };
const aProfile = (username: string) => ({
  username,
  avatar_url: `${upstream.origin}/${username}.jpg?sign=1`,
});

const run = (args: readonly string[], more: Surroundings = {}) =>
  extract(args, {
    endpoints: [profile, company],
    extractor: { answer: async (_, { username }) => anAnswer(aProfile(String(username)), { meta }) },
    ...more,
  });

function inputs(names: readonly string[]): string {
  const file = path.join(folder, `${names.join('-')}.txt`);
  writeFileSync(file, names.join('\n'));
  return file;
}

const lines = (file: string) => ndjsonValues(readFileSync(file, 'utf8'));
const manifest = (dir: string) => lines(path.join(dir, 'manifest.ndjson'));

describe('extract batch --media DIR', () => {
  test('saves the pictures of the answers while it runs, and reports failures', async () => {
    for (const [at, name] of ['ann', 'bob'].entries()) upstream.on(`/${name}.jpg`, serve(jpeg(100, at)));
    const [output, dir] = [path.join(folder, 'people.xlsx'), path.join(folder, 'people')];
    const batch = argv`batch ${profile.path} ${inputs(['ann', 'bob', 'eve'])} -o ${output} --media ${dir}`;
    const failed = /Media: 2 files saved \(\d kB\), 1 failed, see manifest\.ndjson/;
    assertExit(await run(batch), 7, /3 inputs in .*: 3 answered/, failed);
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
    const [output, dir] = [path.join(folder, 'stopped.ndjson'), path.join(folder, 'stopped')];
    const args = argv`batch ${profile.path} ${inputs(names)} -o ${output} --media ${dir}`;
    await run(args, { signal: stop.signal });
    assert.ok(lines(output).length < 2, 'the line of the picture that was held is not there');
    assertExit(await run([...args, '--resume']), 0);
    assert.equal(lines(output).length, 3);
    const items = manifest(dir).map(({ item }) => item);
    assert.deepEqual(items.sort(), names);
  });

  test('is refused without pictures or without a file', async () => {
    const file = inputs(['ann']);
    const none = await run(argv`batch pronetwork/company ${file} -o x.ndjson --media d`);
    assertExit(none, 2, /have no pictures/);
    assertExit(await run(argv`batch ${profile.path} ${file} --media d`), 2);
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
    const captions = await run(argv`media ${file} --endpoint ${profile.path} --captions`);
    assertExit(captions, 2, /have no captions/);
    for (const wrong of ['none.ndjson', 'a.csv'])
      assertExit(await run(['media', path.join(folder, wrong)]), 2);
  });

  test('with --captions requests each video again, and names what could not be requested or saved', async () => {
    const ids = ['7571000000000000201', '7571000000000000202', '7571000000000000203'];
    const vtt = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nTea.\n');
    upstream.on(`/${ids[0]}.vtt`, serve(vtt, 'text/vtt'));
    const fields = { shortvideo_video: ['cover_image_url'] };
    const video = withMedia('shortvideo/video', { fields, captions: 'shortvideo_video' });
    const [file, dir] = [path.join(folder, 'videos.ndjson'), path.join(folder, 'captions')];
    writeFileSync(file, ndjsonText(ids.map((id) => ({ id, cover_image_url: null }))));
    const calls: unknown[] = [];
    const ran = await extract(argv`media ${file} ${dir} --endpoint ${video.path} --captions`, {
      endpoints: [video, profile],
      extractor: {
        async answer(_, params) {
          calls.push(params);
          const { id } = params;
          if (id === ids[2]) throw new ExtractError('platform_restricted', 'For adults.');
          const url = `${upstream.origin}/${id}.vtt`;
          const captions = [{ id, captions: [{ language: 'spa-ES', kind: 'original', url }] }];
          return anAnswer({ id }, { sources: '[]', captions: JSON.stringify(captions), meta });
        },
      },
    });
    const missing = /Captions: 2 credits; 1 item could not be requested: platform_restricted \(1\)/;
    assertExit(ran, 7, /Media: 1 file saved \(\d kB\), 1 failed/, missing);
    assert.deepEqual(
      calls,
      ids.map((id) => ({ id, sources: true })),
    );
    const outcomes = manifest(dir).map(({ file: name, error }) => name ?? error.code);
    assert.deepEqual(outcomes.sort(), [`${ids[0]}.spa-ES.original.vtt`, 'invalid_url']);
    assert.equal(readFileSync(path.join(dir, `${ids[0]}.spa-ES.original.txt`), 'utf8'), 'Tea.\n');
  });
});
