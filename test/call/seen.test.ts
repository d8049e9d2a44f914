import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExtractError } from '../../lib/errors/extract-error.js';
import { seenLine } from '../../lib/errors/seen.js';
import { post } from '../../lib/platforms/photosocial/post.js';
import { profile } from '../../lib/platforms/shortvideo/profile.js';
import type { Route } from '../../lib/web/routes.js';
import { readRoutes } from '../support/read-routes.js';

const failure = (endpoint: unknown, params: object, ...routes: Route[]): Promise<ExtractError> =>
  readRoutes(endpoint, params, routes).then(
    () => assert.fail('the call did not fail'),
    (error: ExtractError) => error,
  );

describe('what a failed call received', () => {
  const scopes = '{"__DEFAULT_SCOPE__":{"webapp.app-context":{},"webapp.new-detail":{}}}';
  const html = `<html><title>Harbour\n Lantern</title><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${scopes}</script></html>`;

  test('is the URL, status, size, title and names of the page', async () => {
    const error = await failure(profile, { username: 'harbour' }, { pattern: '.', body: html });
    assert.deepEqual(error.seen.slice(0, 1), [
      {
        method: 'GET',
        url: 'https://www.tiktok.com/@harbour',
        document: null,
        finalUrl: null,
        status: 200,
        bytes: Buffer.byteLength(html),
        title: 'Harbour Lantern',
        names: ['webapp.app-context', 'webapp.new-detail'],
        failure: null,
      },
    ]);
    assert.equal(
      seenLine(error.seen.slice(0, 1)),
      `GET https://www.tiktok.com/@harbour 200 ${Buffer.byteLength(html)} bytes "Harbour Lantern" [webapp.app-context, webapp.new-detail]`,
    );
  });

  test('includes every further request, and those without an answer', async () => {
    const finalUrl = 'https://www.instagram.com/reel/Dd_qEMJuIux/';
    const page = { pattern: '/p/Dd_qEMJuIux/$', body: '<html><title>x</title>', finalUrl };
    const error = await failure(post, { shortcode: 'Dd_qEMJuIux' }, page, { pattern: '.', status: 500 });
    const line = seenLine(error.seen);
    assert.match(line, /^GET \S+\/embed\/captioned\/ 500 0 bytes; /);
    assert.match(line, /; GET \S+\/p\/Dd_qEMJuIux\/ -> \S+\/reel\/Dd_qEMJuIux\/ 200 22 bytes "x"; POST /);
    assert.match(line, /POST \S+ PolarisLoggedOutDesktopWWWPostRootContentQuery 500 0 bytes/);
  });

  test('stays with the error under its request ID, but not in its JSON', async () => {
    const error = await failure(profile, { username: 'harbour' }, { pattern: '.', status: 404 });
    const detailed = error.within('req_1', 'https://docs.example');
    assert.deepEqual(detailed.seen, error.seen);
    assert.equal(detailed.seen[0]?.status, 404);
    const keys = Object.keys(JSON.parse(JSON.stringify(detailed)));
    assert.deepEqual(keys, ['type', 'code', 'message', 'docs', 'request_id']);
  });
});
