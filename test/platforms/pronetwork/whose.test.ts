import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import { readJobPage } from '../../../lib/platforms/pronetwork/job-page.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
import { readProfilePosts } from '../../../lib/platforms/pronetwork/profile-posts.js';
import { heading, ld, site, sitePage } from './markup.js';

const nothing = [null, null, null, null];

describe('a person of the JSON-LD', () => {
  const read = (thing: unknown) => {
    const answer = sitePage('in', 'in/ilse', heading('Ilse Lind') + ld(thing));
    const one = readProfilePage(answer, { kind: 'in', vanity: 'ilse' });
    return [one.about, one.follower_count, one.current_company?.name ?? null, one.location];
  };
  const stoker = {
    ...{ '@type': 'Person', name: 'Ada Stoker', description: 'I stoke.' },
    address: { addressLocality: 'Bergen' },
    worksFor: [null, { '@type': 'Organization', name: 'Ember & Clay' }],
    interactionStatistic: { interactionType: 'http://schema.org/FollowAction', userInteractionCount: 7 },
  };
  const ilse = { ...stoker, name: 'Ilse Lind' };
  const values = ['I stoke.', 7, 'Ember & Clay', 'Bergen'];

  for (const [name, thing, expected] of [
    ['another person by another page', { ...stoker, url: `${site}/in/ada-stoker` }, nothing],
    [
      'another person by another page with that name',
      { ...ilse, sameAs: [`${site}/in/ada-stoker`] },
      nothing,
    ],
    ['another person by another name', stoker, nothing],
    ['the subject by the page', { ...stoker, url: 'https://no.linkedin.com/in/ilse' }, values],
    ['the subject by the name, without a page', ilse, values],
    ['the subject by the name in a list', [null, ilse], values],
  ] as const) {
    test(`is ${name}`, () => assert.deepEqual(read(thing), expected));
  }
});

describe('an organisation of the JSON-LD', () => {
  for (const [thing, isCompany] of [
    [{ name: 'Tunnel Tile Works' }, false],
    [{ name: 'Ember', url: `${site}/company/tunnel-tile` }, false],
    [{ name: 'Ember', sameAs: `${site}/company/tunnel-tile` }, false],
    [{ name: 'Ember' }, true],
    [{ name: 'Ember AS', url: `${site}/company/ember` }, true],
  ] as const) {
    test(`is ${isCompany ? '' : 'not '}the company with ${JSON.stringify(thing)}`, () => {
      const organization = {
        '@type': 'Organization',
        description: 'Kilns.',
        numberOfEmployees: { value: 9 },
        ...thing,
      };
      const answer = sitePage('company', 'company/ember', heading('Ember') + ld(organization));
      const company = readCompanyPage(answer, { kind: 'company', vanity: 'ember' });
      const values = [company.description, company.employees_on_pronetwork];
      assert.deepEqual(values, isCompany ? ['Kilns.', 9] : [null, null]);
    });
  }
});

describe('a job posting of the JSON-LD', () => {
  const top =
    '<section class="top-card-layout"><h2 class="topcard__title">Lantern engineer</h2><a class="topcard__org-name-link" href="https://www.linkedin.com/company/quiet-lantern">Quiet Lantern</a></section><code id="decoratedJobPostingId"><!--"4300000001"--></code>';
  const posting = {
    ...{ '@type': 'JobPosting', title: 'Lantern engineer', datePosted: '2020-01-01T08:00:00.000Z' },
    ...{ employmentType: 'FULL_TIME', jobLocationType: 'TELECOMMUTE', description: 'About it.' },
    hiringOrganization: { '@type': 'Organization', name: 'Quiet Lantern' },
  };
  const employer = { sameAs: 'https://uk.linkedin.com/company/quiet-lantern' };
  const values = ['2020-01-01T08:00:00.000Z', 'remote', 'Full-time', 'About it.'];

  for (const [name, postings, expected] of [
    ['another job by its title', [{ ...posting, title: 'Stoker' }], nothing],
    ['another job without a title', [{ ...posting, title: undefined }], nothing],
    ['another job by its employer', [{ ...posting, hiringOrganization: { name: 'Ember & Clay' } }], nothing],
    ['another job without an employer', [{ ...posting, hiringOrganization: undefined }], nothing],
    ['the job’s own', [posting], values],
    ['the job’s own by the page of its employer', [{ ...posting, hiringOrganization: employer }], values],
    ['the job’s own next to others', [{ ...posting, title: 'Stoker' }, posting], values],
    ['unknown if two claim to be', [posting, { ...posting, jobLocationType: undefined }], nothing],
  ] as const) {
    test(`is ${name}`, () => {
      const { job } = readJobPage(sitePage('job', 'jobs/view/4300000001', top + ld(postings)), '4300000001');
      assert.deepEqual([job.listed_at, job.workplace_type, job.employment_type, job.description], expected);
    });
  }
});

describe('a post in the JSON-LD of its page', () => {
  const id = '7353670809363591170';
  const card = `<article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${id}"><a href="${site}/company/ember?trk=public_post_feed-actor-name">Ember</a><p data-test-id="main-feed-activity-card__commentary">Slow cooling</p></article>`;
  for (const [author, articleBody, count] of [
    ['ember', 'Slow cooling', 4],
    ['ember', 'Another text', null],
    ['other', 'Slow cooling', null],
  ] as const) {
    test(`by ${author} with “${articleBody}” counts ${count} comments`, () => {
      const thing = {
        ...{ '@type': 'SocialMediaPosting', '@id': `${site}/posts/ember-share-7353670809000000001` },
        ...{ commentCount: 4, author: { url: `${site}/company/${author}` }, articleBody },
      };
      const answer = sitePage('feed', `feed/update/urn:li:activity:${id}`, card + ld(thing));
      assert.equal(readPostPage(answer, id).comment_count, count);
    });
  }
});

test('a post that a person’s page repeats is returned once', () => {
  const item = `<div class="slide-list__item"><a class="base-card__full-link" href="${site}/posts/ilse_x-activity-7353670809363591170-AbCd"></a><p class="see-more-text">Slow</p></div>`;
  const answer = sitePage(
    'in',
    'in/ilse',
    `${heading('Ilse')}<div class="tab__panel posts">${item}${item}</div>`,
  );
  assert.equal(readProfilePosts(answer, { kind: 'in', vanity: 'ilse' }).posts.length, 1);
});

describe('criteria on a page in another language', () => {
  const arabic = [
    'مستوى الأقدمية: مساعد',
    'نوع التوظيف: دوام كامل',
    'المهام الوظيفية: التسويق',
    'المجالات: المتاحف',
  ];
  for (const [name, rows, expected] of [
    ['are recognised by position', arabic, ['مساعد', 'دوام كامل']],
    ['are unknown if one is missing', arabic.slice(1), [null, null]],
    ['are unknown next to an English label', ['Job function: Other', ...arabic.slice(0, 3)], [null, null]],
  ] as const) {
    test(name, () => {
      const items = rows
        .map((row) => row.split(': '))
        .map(
          ([label, value]) =>
            `<li><h3 class="description__job-criteria-subheader">${label}</h3><span class="description__job-criteria-text">${value}</span></li>`,
        );
      const list = `<code id="decoratedJobPostingId"><!--"1"--></code><ul class="description__job-criteria-list">${items.join('')}</ul>`;
      const { job } = readJobPage(sitePage('job', 'jobs/view/1', heading('T') + list), '1');
      assert.deepEqual([job.seniority_level, job.employment_type], expected);
    });
  }
});
