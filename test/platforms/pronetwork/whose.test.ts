import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import { readJobPage } from '../../../lib/platforms/pronetwork/job-page.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
import { readProfilePosts } from '../../../lib/platforms/pronetwork/profile-posts.js';
import { page } from '../../../lib/web/page.js';

const site = 'https://www.linkedin.com';
const html = (url: string, key: string, body: string) =>
  page(
    url,
    200,
    {},
    Buffer.from(
      `<html><head><meta name="pageKey" content="${key}"><link rel="canonical" href="${url}"></head><body><main>${body}</main></body></html>`,
    ),
  );
const ld = (thing: unknown) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;

describe('a person of the JSON-LD', () => {
  const read = (thing: unknown) => {
    const top =
      '<section class="top-card-layout"><h1 class="top-card-layout__title">Ilse Lind</h1></section>';
    const { about, follower_count, current_company, location } = readProfilePage(
      html(`${site}/in/ilse`, 'public_profile_v3_desktop', top + ld(thing)),
      { kind: 'in', vanity: 'ilse' },
    );
    return [about, follower_count, current_company?.name ?? null, location];
  };
  const stoker = {
    '@type': 'Person',
    name: 'Ada Stoker',
    address: { addressLocality: 'Bergen' },
    description: 'I stoke.',
    worksFor: [null, { '@type': 'Organization', name: 'Ember & Clay' }],
    interactionStatistic: { interactionType: 'http://schema.org/FollowAction', userInteractionCount: 7 },
  };
  const values = ['I stoke.', 7, 'Ember & Clay', 'Bergen'];
  const nothing = [null, null, null, null];

  test('is somebody else if it names another page, or another name', () => {
    assert.deepEqual(read({ ...stoker, url: `${site}/in/ada-stoker` }), nothing);
    assert.deepEqual(read({ ...stoker, name: 'Ilse Lind', sameAs: [`${site}/in/ada-stoker`] }), nothing);
    assert.deepEqual(read(stoker), nothing);
  });

  test('is the subject if it names the page, or no page and the same name', () => {
    assert.deepEqual(read({ ...stoker, url: `https://no.linkedin.com/in/ilse` }), values);
    assert.deepEqual(read({ ...stoker, name: 'Ilse Lind' }), values);
    assert.deepEqual(read([null, { ...stoker, name: 'Ilse Lind' }]), values);
  });
});

test('an organisation of the JSON-LD is the company if it names its page, or no page and the same name', () => {
  const read = (thing: object) => {
    const top = '<section class="top-card-layout"><h1 class="top-card-layout__title">Ember</h1></section>';
    const company = {
      '@type': 'Organization',
      description: 'Kilns.',
      numberOfEmployees: { value: 9 },
      ...thing,
    };
    const { description, employees_on_pronetwork } = readCompanyPage(
      html(`${site}/company/ember`, 'd_org_guest_company_overview', top + ld(company)),
      { kind: 'company', vanity: 'ember' },
    );
    return [description, employees_on_pronetwork];
  };
  assert.deepEqual(read({ name: 'Tunnel Tile Works' }), [null, null]);
  assert.deepEqual(read({ name: 'Ember', url: `${site}/company/tunnel-tile` }), [null, null]);
  assert.deepEqual(read({ name: 'Ember', sameAs: `${site}/company/tunnel-tile` }), [null, null]);
  assert.deepEqual(read({ name: 'Ember' }), ['Kilns.', 9]);
  assert.deepEqual(read({ name: 'Ember AS', url: `${site}/company/ember` }), ['Kilns.', 9]);
});

describe('a job posting of the JSON-LD', () => {
  const top =
    '<section class="top-card-layout"><h2 class="topcard__title">Lantern engineer</h2><a class="topcard__org-name-link" href="https://www.linkedin.com/company/quiet-lantern">Quiet Lantern</a></section><code id="decoratedJobPostingId"><!--"4300000001"--></code>';
  const posting = {
    '@type': 'JobPosting',
    title: 'Lantern engineer',
    datePosted: '2020-01-01T08:00:00.000Z',
    employmentType: 'FULL_TIME',
    jobLocationType: 'TELECOMMUTE',
    description: 'About it.',
    hiringOrganization: { '@type': 'Organization', name: 'Quiet Lantern' },
  };
  const read = (...postings: unknown[]) => {
    const { job } = readJobPage(
      html(`${site}/jobs/view/4300000001`, 'd_jobs_guest_details', top + ld(postings)),
      '4300000001',
    );
    return [job.listed_at, job.workplace_type, job.employment_type, job.description];
  };
  const values = ['2020-01-01T08:00:00.000Z', 'remote', 'Full-time', 'About it.'];
  const nothing = [null, null, null, null];

  test('is another job where title or employer is another, or not named', () => {
    assert.deepEqual(read({ ...posting, title: 'Stoker' }), nothing);
    assert.deepEqual(read({ ...posting, title: undefined }), nothing);
    assert.deepEqual(read({ ...posting, hiringOrganization: { name: 'Ember & Clay' } }), nothing);
    assert.deepEqual(read({ ...posting, hiringOrganization: undefined }), nothing);
  });

  test('is the job’s own next to others, and unknown if two claim to be', () => {
    assert.deepEqual(read(posting), values);
    assert.deepEqual(
      read({ ...posting, title: 'Stoker', datePosted: '2019-01-01T00:00:00Z' }, posting),
      values,
    );
    assert.deepEqual(read(posting, { ...posting, jobLocationType: undefined }), nothing);
    const employer = { sameAs: 'https://uk.linkedin.com/company/quiet-lantern' };
    assert.deepEqual(read({ ...posting, hiringOrganization: employer }), values);
  });
});

test('a described post that is alone on a post’s page is that one only where author and text agree', () => {
  const id = '7353670809363591170';
  const card = `<article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${id}"><a href="${site}/company/ember?trk=public_post_feed-actor-name">Ember</a><p data-test-id="main-feed-activity-card__commentary">Slow cooling</p></article>`;
  const read = (thing: object) =>
    readPostPage(
      html(
        `${site}/feed/update/urn:li:activity:${id}`,
        'd_public_post',
        card +
          ld({
            '@type': 'SocialMediaPosting',
            '@id': `${site}/posts/ember-share-7353670809000000001`,
            commentCount: 4,
            ...thing,
          }),
      ),
      id,
    ).comment_count;
  const author = { '@type': 'Organization', url: `${site}/company/ember` };
  assert.equal(read({ author, articleBody: 'Slow cooling' }), 4);
  assert.equal(read({ author, articleBody: 'Another text' }), null);
  assert.equal(read({ author: { url: `${site}/company/other` }, articleBody: 'Slow cooling' }), null);
});

test('a post that a person’s page repeats is one', () => {
  const item = `<div class="slide-list__item"><a class="base-card__full-link" href="${site}/posts/ilse_x-activity-7353670809363591170-AbCd"></a><p class="see-more-text">Slow</p></div>`;
  const body = `<h1 class="top-card-layout__title">Ilse</h1><div class="tab__panel posts">${item}${item}</div>`;
  const { posts } = readProfilePosts(html(`${site}/in/ilse`, 'public_profile_v3_desktop', body), {
    kind: 'in',
    vanity: 'ilse',
  });
  assert.equal(posts.length, 1);
});

test('criteria on a page in another language are recognised by position if all four are present', () => {
  const criteria = (...rows: [string, string][]) =>
    `<ul class="description__job-criteria-list">${rows.map(([label, value]) => `<li><h3 class="description__job-criteria-subheader">${label}</h3><span class="description__job-criteria-text">${value}</span></li>`).join('')}</ul>`;
  const read = (...rows: [string, string][]) => {
    const { job } = readJobPage(
      html(
        `${site}/jobs/view/1`,
        'd_jobs_guest_details',
        `<section class="top-card-layout"><h1 class="top-card-layout__title">T</h1></section><code id="decoratedJobPostingId"><!--"1"--></code>${criteria(...rows)}`,
      ),
      '1',
    );
    return [job.seniority_level, job.employment_type];
  };
  const arabic: [string, string][] = [
    ['مستوى الأقدمية', 'مساعد'],
    ['نوع التوظيف', 'دوام كامل'],
    ['المهام الوظيفية', 'التسويق'],
    ['المجالات', 'المتاحف'],
  ];
  assert.deepEqual(read(...arabic), ['مساعد', 'دوام كامل']);
  assert.deepEqual(read(...arabic.slice(1)), [null, null], 'which of the four is missing is not known');
  assert.deepEqual(
    read(['Job function', 'Other'], ...arabic.slice(0, 3)),
    [null, null],
    'a page in English has its labels',
  );
});
