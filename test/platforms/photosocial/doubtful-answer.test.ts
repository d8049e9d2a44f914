import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

/** The documents' answer about a deleted post, and about one restricted by country (2026-09). */
const doubtful = {
  pattern: '/graphql',
  body: JSON.stringify({
    data: { xig_polaris_media: null, xig_user_by_username: null },
    errors: [{ message: 'A server error field_exception occured.' }],
  }),
};
const refused: Route = { pattern: '.', status: 403 };
const identity = { shortcode: 'Dd_qEMKLVdi' };

async function codeOf(row: unknown, of: object, ...routes: Route[]) {
  const question = { endpoint: row as Endpoint, identity: of as never, position: firstPosition, limit: 1 };
  const source = routeSource(import.meta.dirname, [...routes, refused]);
  return fetchAnswer(question, source, stoppedClock).then(
    () => 'answer',
    (error: { code: string }) => error.code,
  );
}

describe('a document’s answer that stands for what is gone and for what is closed to a country', () => {
  test('proves nothing missing by itself', async () => {
    assert.equal(await codeOf(post, identity, doubtful), 'platform_blocked');
    assert.equal(await codeOf(comments, identity, doubtful), 'platform_blocked');
    assert.equal(await codeOf(profile, { username: 'harbor.lantern' }, doubtful), 'platform_blocked');
  });

  test('leaves the word to oEmbed', async () => {
    const oembed = { pattern: '/oembed/', body: '{"author_name":"harbor.lantern"}' };
    assert.equal(await codeOf(post, identity, doubtful, oembed), 'platform_blocked');
    assert.equal(
      await codeOf(post, identity, doubtful, { pattern: '/oembed/', status: 404 }),
      'post_not_found',
    );
  });
});
