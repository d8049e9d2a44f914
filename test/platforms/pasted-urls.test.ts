import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseCallRequest } from '../../lib/call/call-request.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';

/**
 * What people paste, in the forms that downloaders' users and the platforms' own share buttons make; names and ids are
 * invented. A block is an endpoint, what it understands (`=`) or why it refuses (`!`), and URLs.
 */
const blocks = readFileSync(new URL('./pasted-urls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .map((block) => {
    const [head = '', ...urls] = block.split('\n');
    const [, path = '', sign = '', text = ''] = /^(\S+) ([=!]) (.+)$/.exec(head) ?? [];
    return { head, path, understood: sign === '=', text, urls };
  });

/** The parameter that takes the URL. */
function params(path: string, url: string) {
  if (path !== 'pronetwork/posts') return { url };
  return url.includes('/in/') ? { profile_url: url } : { company_url: url };
}

function identityOf(path: string, url: string) {
  const endpoint = endpoints.find((one) => one.path === path);
  assert.ok(endpoint, path);
  return parseCallRequest(endpoint, params(path, url)).identity;
}

for (const { head, path, understood, text, urls } of blocks) {
  test(head, () => {
    for (const url of urls) {
      if (understood) {
        assert.deepEqual(identityOf(path, url), JSON.parse(text), url);
        continue;
      }
      assert.throws(
        () => identityOf(path, url),
        (error) => {
          assert.ok(error instanceof ExtractError, String(error));
          assert.equal(error.code, 'invalid_url', url);
          assert.ok(error.message.startsWith(text), `${url}: ${error.message}`);
          // The reason does not stand in place of the form that is taken.
          assert.match(
            error.message,
            /such as https:|with its ID in it|Open the profile|with the company’s name/,
            url,
          );
          return true;
        },
      );
    }
  });
}

/** Names with what is copied along with them, by endpoint and parameter. */
const names: readonly (readonly [path: string, param: string, ...given: string[]])[] = [
  [
    ...(['shortvideo/profile', 'username'] as const),
    ...['mira,', 'mira;', 'mira.', '(mira)', '"mira"', 'mira!', 'mira ana', 'mira,ana', '%40mira'],
    ...['mira\u200e', 'tiktok.com/@mira'],
  ],
  ['shortvideo/video', 'id', '7571863205253778710,', '7571863205253778710 7571863205253778711'],
  [
    ...(['photosocial/profile', 'username'] as const),
    ...['harbor,', 'harbor;', 'harbor.', 'harbor)', 'harbor/', 'har bor', 'harbor\u200e', 'ha%2Erbor'],
  ],
  [
    'photosocial/post',
    'shortcode',
    'DdG4RIxIPyf,',
    'DdG4RIxIPyf.',
    'p/DdG4RIxIPyf',
    'DdG4RIxIPyf DdG4RIxIPyg',
  ],
  [
    ...(['pronetwork/profile', 'vanity_name'] as const),
    ...[
      'ada,',
      'ada;',
      'ada)',
      'ada!',
      'ada*',
      'ada|',
      'ada–',
      'ada&trk=x',
      'Ada Stoker',
      'in/ada',
      'ada\u200e',
    ],
    'ACoAAABcdefgHIJKlmnop_QRSTuvwxyz0123456',
  ],
  [
    'maps/place',
    'place_id',
    'ChIJDdnwdv0y5xQRRytw1ihZQeU,',
    '"ChIJDdnwdv0y5xQRRytw1ihZQeU"',
    'M2CV+7Q Limassol',
  ],
];

test('names with what is copied along are refused, with what to give instead', () => {
  for (const [path, param, ...given] of names) {
    const endpoint = endpoints.find((one) => one.path === path);
    assert.ok(endpoint);
    for (const value of given)
      assert.throws(
        () => parseCallRequest(endpoint, { [param]: value }),
        {
          code: 'invalid_parameter',
          message: /must be|Give .* only|Type the|Open the profile|finds what is there/,
        },
        `${path}: ${value}`,
      );
  }
});

test('the table has the forms of every platform', () => {
  const count = (platform: string) =>
    blocks.filter(({ path }) => path.startsWith(platform)).flatMap(({ urls }) => urls).length;
  for (const platform of ['maps', 'pronetwork', 'photosocial', 'shortvideo'])
    assert.ok(count(platform) >= 50, platform);
});
