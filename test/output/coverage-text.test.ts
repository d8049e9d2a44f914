import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { coverageText, isPart } from '../../src/output/coverage-text.js';
import { aCoverage } from '../support/coverage.js';

const endpointOf = (path: string) => endpoints.find((one) => one.path === path) as Endpoint;

describe('what matters of the coverage, in a sentence', () => {
  const [posts, videos, jobs] = ['photosocial/posts', 'shortvideo/videos', 'pronetwork/jobs'];
  const [reviews, profile] = ['maps/reviews', 'shortvideo/profile'];
  for (const [path, coverage, text] of [
    [posts, { total: 713, ended: 'visitors' }, '10 of 713 posts: Instagram shows visitors no more.'],
    [posts, { given: 1, ended: 'visitors' }, '1 post: Instagram shows visitors no more.'],
    [videos, { total: 95, ended: 'refused' }, '10 of 95 videos: TikTok refused the rest.'],
    [jobs, { total: 25, ended: 'repeated' }, '10 of 25 jobs: LinkedIn returned the same page again.'],
    [
      reviews,
      { total: 4604, ended: 'unknown' },
      '10 of 4,604 reviews: Google Maps does not say where the rest is.',
    ],
    [reviews, { ended: 'unknown' }, ''],
    [reviews, { total: 12, ended: 'end' }, ''],
    [reviews, { total: 4604, ended: 'more' }, ''],
    [jobs, { given: 1, ignored: ['workplace_type'] }, 'LinkedIn ignores workplace_type for visitors.'],
    [profile, { given: 1, rounded: ['like_count'] }, 'Rounded: like_count.'],
  ] as const)
    test(`${path}, ${JSON.stringify(coverage)}`, () => {
      const full = aCoverage({ given: 10, ...coverage });
      assert.equal(coverageText(endpointOf(path), full), text);
      assert.equal(isPart(full), text.includes(':') && !text.startsWith('Rounded'));
    });
});
