import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { routeSource } from '../../lib/web/routes.js';
import { savePages } from '../../lib/web/save-pages.js';
import { fromSavedPages } from '../../lib/web/saved-pages.js';
import { anonymise } from '../../scripts/capture/anonymise.js';
import { runCall } from '../../scripts/capture/exchanges.js';
import { findCall } from '../../scripts/capture/find-call.js';
import { writeCase } from '../../scripts/capture/write-case.js';
import { capturedCasesOf } from '../support/captured-cases.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = temporaryFolder();
const endpointAt = (wanted: string) => endpoints.find((one) => one.path === wanted) as Endpoint;

const profile = {
  __DEFAULT_SCOPE__: {
    'webapp.user-detail': {
      userInfo: {
        user: {
          id: '6890123456789012345',
          uniqueId: 'zebulon.quarrington',
          nickname: 'Zebulon Quarrington 🦓',
          avatarLarger: 'https://p16-sign.tiktokcdn.com/tos/quarrington-portrait.jpeg?x-expires=1767817262',
          signature: 'Marmalade taster in Pottlesby.\nWrite to zebulon@quarrington.example',
          verified: false,
          privateAccount: false,
          bioLink: { link: 'https://quarrington.example/marmalade' },
        },
        stats: { followerCount: 48_211, followingCount: 357, heartCount: 902_113, videoCount: 19 },
      },
      statusCode: 0,
    },
    'webapp.i18n-translation': { pottlesby: 'Marmalade '.repeat(400) },
  },
};

/** A page of a made-up person, escaped as the platform does it. */
const page = `<!DOCTYPE html><html lang="en"><head><title>Zebulon Quarrington (@zebulon.quarrington)</title>
<style>.quarrington { color: orange }</style><script>window.person = "Zebulon Quarrington";</script></head>
<body data-person="zebulon.quarrington"><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify(profile).replaceAll('/', '\\u002F')}</script></body></html>`;

/** Saves the pages that a call reads from `routes`, as `--save-pages` does. */
async function saved(
  name: string,
  endpoint: Endpoint,
  params: object,
  routes: Parameters<typeof routeSource>[1],
) {
  const dir = path.join(root, name);
  await runCall(endpoint, { ...params }, savePages(routeSource(root, routes), dir));
  return fromSavedPages(dir);
}

describe('a capture of a made-up profile', async () => {
  const row = endpointAt('shortvideo/profile');
  const url = 'https://www.tiktok.com/@zebulon.quarrington';
  const source = await saved('profile', row, { username: 'zebulon.quarrington' }, [{ url, body: page }]);
  const call = await findCall(source, row, { url });
  const anonymous = await anonymise(call, 1);
  const [exchange] = anonymous.exchanges;
  const text = exchange?.answer.text ?? '';
  const data = anonymous.outcome.pages[0]?.data as Record<string, string | number | boolean | null>;

  test('says nothing of the original', () => {
    const result = JSON.stringify(anonymous).toLowerCase();
    for (const word of [
      'zebulon',
      'quarrington',
      'marmalade',
      'pottlesby',
      'taster',
      '48211',
      '902113',
      '789012345',
    ])
      assert.ok(!result.includes(word), word);
  });

  test('keeps the form: nulls, references, lengths, escapes', () => {
    assert.equal(data.profile_url, `https://www.tiktok.com/@${data.username}`);
    assert.equal(String(anonymous.params.url), data.profile_url);
    assert.ok(String(data.display_name).toLowerCase().startsWith(String(data.username).replace('.', ' ')));
    assert.match(String(data.bio_description), /^\w{9} \w{6} in \w{9}\.\n\w{5} to \w{7}@\w{11}\.\w{7}$/);
    assert.match(String(data.follower_count), /^\d{5}$/);
    assert.ok(text.includes('https:\\u002F\\u002F'));
  });

  test('is cut to what the answer needs', () => {
    assert.ok(!text.includes('<style') && !text.includes('window.') && text.length < 1600, text);
  });

  test('becomes a case that reads as it says', async () => {
    const folder = path.join(root, 'written');
    writeCase(path.join(folder, 'captures'), 'person', 'a made-up person', anonymous);
    writeCase(path.join(folder, 'captures'), 'person', 'a made-up person', anonymous);
    const cases = capturedCasesOf(row, folder);
    assert.equal(cases.length, 1, 'one of the same name gives way');
    const [one] = cases;
    const { pages, error } = await runCall(row, one?.params ?? {}, one?.open() ?? fromSavedPages(root));
    assert.equal(error, null);
    assert.deepEqual([pages[0]?.data], one?.answers);
  });
});

test('the names of a place stay names of one place', async () => {
  const row = endpointAt('maps/place');
  const id = '0x48761b3c5cbf139b:0x7be9c9cf71db38fb';
  const node: unknown[] = Array.from({ length: 40 }, () => null);
  node[9] = [null, null, 51.530123, -0.123456];
  node[10] = id;
  node[11] = 'Pottlesby Marmalade Museum';
  node[13] = ['Museum'];
  node[18] = 'Pottlesby Marmalade Museum, 12 Orange Rd., Pottlesby N1C 4AP';
  const body = `)]}'\n${JSON.stringify([null, null, null, null, null, null, node])}`;
  const url = `https://www.google.com/maps?ftid=${id}`;
  const source = await saved('place', row, { url }, [{ pattern: '.', body }]);
  const call = await findCall(source, row, { url });
  const { params, outcome, exchanges } = await anonymise(call, 1);
  const data = outcome.pages[0]?.data as { place_id: string; location: { lat: number; lng: number } };
  const text = exchanges[0]?.answer.text ?? '';
  assert.ok(text.startsWith(")]}'\n"));
  const feature = /0x[0-9a-f]{16}:0x[0-9a-f]{16}/.exec(text)?.[0] ?? '';
  assert.notEqual(feature, id);
  assert.ok(String(params.url).endsWith(feature));
  assert.ok(data.place_id.startsWith('ChIJ'));
  assert.ok(Math.abs(data.location.lat) <= 90 && data.location.lat !== 51.530123);
  assert.ok(!/N1C|4AP|Museum|Orange/i.test(text), text);
});

test('pages of another call are no case', async () => {
  const row = endpointAt('maps/place');
  const url = 'https://www.google.com/maps?ftid=0x48761b3c5cbf139b:0x7be9c9cf71db38fb';
  const source = await saved('refused', row, { url }, [{ pattern: '.', status: 403 }]);
  const other = { url: 'https://www.google.com/maps?ftid=0x1:0x2' };
  await assert.rejects(findCall(source, row, other), /no saved page for .* Are these the parameters/);
});
