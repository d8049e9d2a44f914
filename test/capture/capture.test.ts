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
        // Displayed and exact counts, which must stay near each other.
        stats: { followerCount: 48_200, followingCount: 357, heartCount: 902_100, videoCount: 19 },
        statsV2: { followerCount: '48211', followingCount: '357', heartCount: '902113', videoCount: '19' },
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

  test('is refused if the page itself cannot be read', async () => {
    const changed = page.replaceAll('"stats', '"figures');
    assert.notEqual(changed, page);
    const broken = await saved('changed', row, { username: 'zebulon.quarrington' }, [{ url, body: changed }]);
    await assert.rejects(findCall(broken, row, { url }), /platform_changed: mend the reader first/);
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
