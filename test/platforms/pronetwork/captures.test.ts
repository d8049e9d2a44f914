import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { PronetworkProfile } from '../../../lib/platforms/pronetwork/objects.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { profile } from '../../../lib/platforms/pronetwork/profile.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { page } from '../../../lib/web/page.js';
import { routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

const dir = path.join(packageRoot(), '..', 'shared', 'captures', 'pronetwork');
const skip = existsSync(dir) ? false : 'the real captures are not beside this checkout';

describe('real pages of pronetwork', { skip }, () => {
  test('a post with a video elsewhere, whose link stands in the headings', () => {
    const body = readFileSync(path.join(dir, 'post-video-elsewhere-2025-10-en.html'));
    const url =
      'https://www.linkedin.com/posts/mediamint_breaking-silos-the-power-of-ai-transformation-activity-7386505452060098560-4e6x';
    const post = readPostPage(page(url, 200, {}, body), '7386505452060098560');
    assert.deepEqual(post.article, {
      title: 'Breaking Silos: The Power of AI Transformation',
      url: 'https://www.youtube.com/watch?v=rO0YATw8oGo',
      thumbnail_url: null,
    });
    assert.deepEqual([post.reaction_count, post.comment_count], [71, 1]);
    assert.equal(post.published_at, '2025-10-21T20:55:34.406Z');
  });

  test('a masked profile whose structured data shows what the page masks', async () => {
    const source = routeSource(dir, [
      { url: 'https://www.linkedin.com/in/donotavio', file: 'profile_2026-01_donotavio_br_jsonld.html' },
    ]);
    const question = {
      endpoint: profile as unknown as Endpoint,
      identity: { vanity: 'donotavio' },
      position: firstPosition,
      limit: 1,
    };
    const { answer } = await fetchAnswer(question, source, stoppedClock);
    assert.doesNotMatch(answer.data, /\*\*/);
    const data = JSON.parse(answer.data) as PronetworkProfile;
    assert.deepEqual(data.experience, [
      {
        title: null,
        company: 'Educbank',
        company_url: 'https://www.linkedin.com/company/educbank',
        location: 'São Paulo, São Paulo, Brasil',
        start_date: null,
        end_date: null,
        is_current: null,
        description: null,
      },
    ]);
    assert.deepEqual(data.education, [
      {
        school: 'Estácio',
        school_url: 'https://www.linkedin.com/school/estacio',
        degree: null,
        field_of_study: null,
        start_date: '2024-11',
        end_date: '2027-04',
      },
    ]);
    assert.deepEqual([data.location, data.follower_count], ['Curitiba, Paraná, Brasil', 960]);
  });
});
