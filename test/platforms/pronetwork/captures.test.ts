import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import type { PronetworkProfile } from '../../../lib/platforms/pronetwork/objects.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { profile } from '../../../lib/platforms/pronetwork/profile.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
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

  test('a company page for phones', () => {
    const body = readFileSync(path.join(dir, 'company_2023-04_usebraintrust.html'));
    const answer = page('https://www.linkedin.com/company/usebraintrust', 200, {}, body);
    const read = readCompanyPage(answer, { kind: 'company', vanity: 'usebraintrust' });
    assert.deepEqual(
      [read.industry, read.company_size, read.founded, read.follower_count, read.employees_on_pronetwork],
      ['Software Development', '11-50 employees', 2018, 393_418, 247],
    );
  });

  test('twelve positions, two of them in a group', () => {
    const body = readFileSync(path.join(dir, 'profile_2024-03_abgargulo_se.html'));
    const answer = page('https://www.linkedin.com/in/abgargulo', 200, {}, body);
    const { experience, education } = readProfilePage(answer, { kind: 'in', vanity: 'abgargulo' });
    assert.deepEqual([experience.length, education.length], [12, 5]);
    const grouped = experience.filter((one) => one.company === 'Mobvilla');
    assert.deepEqual(
      grouped.map((one) => [one.title, one.location, one.start_date, one.description?.slice(0, 10) ?? null]),
      [
        ['Operative Manager', 'Stockholm County, Sweden', '2014', null],
        ['Business Developer', null, '2007-08', 'Overseeing'],
      ],
    );
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
