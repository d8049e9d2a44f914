import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { seenLine } from '../../lib/errors/seen.js';
import { post } from '../../lib/platforms/photosocial/post.js';
import { profile } from '../../lib/platforms/shortvideo/profile.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { stoppedClock } from '../support/cases.js';

async function failure(endpoint: unknown, identity: Record<string, string>, routes: Route[]) {
  const request = { endpoint: endpoint as Endpoint, identity, position: firstPosition, limit: 1 };
  try {
    await fetchAnswer(request, routeSource('.', routes), stoppedClock);
  } catch (error) {
    if (error instanceof ExtractError) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}

describe('what a failed call received', () => {
  const scopes = '{"__DEFAULT_SCOPE__":{"webapp.app-context":{},"webapp.new-detail":{}}}';
  const html = `<html><title>Harbour\n Lantern</title><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${scopes}</script></html>`;

  test('is address, status, size, title and the names that the page gives itself', async () => {
    const error = await failure(profile, { username: 'harbour' }, [{ pattern: '.', body: html }]);
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

  test('names every further source that was tried, and those without an answer', async () => {
    const error = await failure(post, { shortcode: 'Dd_qEMJuIux' }, [
      {
        pattern: '/p/Dd_qEMJuIux/$',
        body: '<html><title>x</title>',
        finalUrl: 'https://www.instagram.com/reel/Dd_qEMJuIux/',
      },
      { pattern: '.', status: 500 },
    ]);
    const line = seenLine(error.seen);
    assert.match(line, /^GET \S+\/embed\/captioned\/ 500 0 bytes; /);
    assert.match(line, /; GET \S+\/p\/Dd_qEMJuIux\/ -> \S+\/reel\/Dd_qEMJuIux\/ 200 22 bytes "x"; POST /);
    assert.match(line, /POST \S+ PolarisLoggedOutDesktopWWWPostRootContentQuery 500 0 bytes/);
  });

  test('stays with the error under its request id, and out of its JSON', async () => {
    const error = await failure(profile, { username: 'harbour' }, [{ pattern: '.', status: 404 }]);
    const detailed = error.within('req_1', 'https://docs.example');
    assert.deepEqual(detailed.seen, error.seen);
    assert.equal(detailed.seen[0]?.status, 404);
    assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(detailed))), [
      'type',
      'code',
      'message',
      'docs',
      'request_id',
    ]);
  });
});
