import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseCallRequest } from '../../lib/call/call-request.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';

/**
 * What people paste, in the forms that downloaders' users and the platforms' own share buttons make; names and ids are
 * invented. A block is an endpoint, what it understands (`=`) or why it refuses (`!`), and URLs; or a parameter that
 * refuses (`×`) the texts of JSON lists.
 */
const all = readFileSync(new URL('./pasted-urls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .map((block) => {
    const [head = '', ...urls] = block.split('\n');
    const [, path = '', sign = '', text = ''] = /^(\S+) ([=!×]) (.+)$/.exec(head) ?? [];
    return { head, path, sign, understood: sign === '=', text, urls };
  });
const blocks = all.filter(({ sign }) => sign !== '×');

/** Instructions that messages give when more than a name was pasted. */
const says =
  /must be|must not|Give .* only|Type the|(?:Open|Find) the profile|finds (?:what is there|the IDs)|control character/;

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
          // The reason comes in addition to the expected form.
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

for (const { head, path, text: param, urls: lists } of all.filter(({ sign }) => sign === '×')) {
  test(head, () => {
    const endpoint = endpoints.find((one) => one.path === path) ?? assert.fail(path);
    for (const value of lists.flatMap((list) => JSON.parse(list) as string[]))
      assert.throws(
        () => parseCallRequest(endpoint, { [param]: value }),
        param === 'url' ? { code: 'invalid_url' } : { code: 'invalid_parameter', message: says },
        JSON.stringify(value),
      );
  });
}

test('the table has at least 50 URLs of every platform', () => {
  const count = (platform: string) =>
    blocks.filter(({ path }) => path.startsWith(platform)).flatMap(({ urls }) => urls).length;
  for (const platform of ['maps', 'pronetwork', 'photosocial', 'shortvideo'])
    assert.ok(count(platform) >= 50, platform);
});
