import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ReplayRoute, replay, withoutCaptures } from '../support/replay.js';

const skip = withoutCaptures();
const site = 'https://www\\.linkedin\\.com';
const capture = (url: string, name: string): ReplayRoute => ({
  url: `^${site}${url}`,
  capture: `pronetwork/${name}.html`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
});
const gates = capture('/in/williamhgates$', 'profile-williamhgates-2026-07-en');
const nadella = capture('/in/satyanadella$', 'profile-satyanadella-2026-07-en');
const guido = capture('/in/guido-van-rossum-4a0756$', 'profile-guidovanrossum-2026-07-en-blurred');
const audiense = capture('/company/audiense$', 'company-audiense-2024-10-en');
/** Posts' and jobs' own pages, which no capture holds. */
const refusals: ReplayRoute = {
  url: `^${site}/(posts|jobs-guest/jobs/api/jobPosting)/`,
  status: 999,
  body: '',
};

async function answer(routes: readonly ReplayRoute[], args: readonly string[]) {
  const run = await replay(routes, ['pronetwork', ...args, '--json']);
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

async function code(routes: readonly ReplayRoute[], args: readonly string[], status: number) {
  const run = await replay(routes, ['pronetwork', ...args, '--json']);
  assert.equal(run.status, status, run.stderr);
  assert.equal(run.stdout, '');
  return JSON.parse(run.stderr.split('\n').find((line) => line.startsWith('{')) ?? '').error.code;
}

describe('the command over real pronetwork pages', { skip, concurrency: 2 }, () => {
  test('a profile with single positions', async () => {
    const { data, meta } = await answer([gates], ['profile', 'williamhgates']);
    assert.equal(data.full_name, 'Bill Gates');
    assert.equal(data.headline, 'Chair, Gates Foundation and Founder, Breakthrough Energy');
    assert.match(data.about, /^Chair of the Gates Foundation\. .* Active blogger\.$/);
    assert.equal(data.location, 'Seattle, Washington, United States');
    assert.equal(data.follower_count, 41_000_000);
    assert.equal(data.connection_count, 8);
    assert.deepEqual(data.current_company, {
      name: 'Gates Foundation',
      url: 'https://www.linkedin.com/company/gates-foundation',
    });
    assert.deepEqual(
      data.experience.map((one: Record<string, unknown>) => [
        one.title,
        one.company,
        one.start_date,
        one.is_current,
      ]),
      [
        ['Co-chair', 'Gates Foundation', '2000', true],
        ['Founder', 'Breakthrough Energy', '2015', true],
        ['Co-founder', 'Microsoft', '1975', true],
      ],
    );
    assert.deepEqual(
      data.education.map((one: Record<string, unknown>) => [
        one.school,
        one.degree,
        one.start_date,
        one.end_date,
      ]),
      [
        ['Harvard University', null, '1973', '1975'],
        ['Lakeside School', null, null, null],
      ],
    );
    assert.equal(data.skills, null);
    assert.equal(meta.credits_charged, 10);
  });

  test('a profile with ended positions and degrees', async () => {
    const { data } = await answer(
      [nadella],
      ['profile', '--url', 'https://www.linkedin.com/in/satyanadella/?trk=x'],
    );
    assert.equal(data.follower_count, 12_000_000);
    assert.equal(data.connection_count, 500);
    assert.equal(data.experience.length, 5);
    assert.deepEqual(data.experience[0], {
      title: 'Chairman and CEO',
      company: 'Microsoft',
      company_url: 'https://www.linkedin.com/company/microsoft',
      location: 'Greater Seattle Area',
      start_date: '2014-02',
      end_date: null,
      is_current: true,
      description: null,
    });
    assert.deepEqual(
      data.experience
        .slice(2)
        .map((one: Record<string, unknown>) => [one.company, one.end_date, one.is_current]),
      [
        ['Starbucks', '2024', false],
        ['The Business Council U.S.', '2023', false],
        ['Fred Hutch', '2022', false],
      ],
    );
    assert.equal(data.education[1].degree, 'Bachelor’s Degree');
    assert.equal(data.education[1].field_of_study, 'Electrical Engineering');
  });

  test('a profile behind asterisks', async () => {
    const { data } = await answer([guido], ['profile', 'guido-van-rossum-4a0756']);
    assert.equal(data.headline, null);
    assert.equal(data.follower_count, 681);
    assert.equal(data.connection_count, 500);
    assert.equal(data.experience.length, 1);
    assert.equal(data.experience[0].company, 'Microsoft');
    assert.equal(data.experience[0].title, null);
    assert.equal(JSON.stringify(data).includes('*'), false);
  });

  test('posts in tabs', async () => {
    const { data, meta } = await answer(
      [gates, refusals],
      ['posts', '--profile-url', 'https://www.linkedin.com/in/williamhgates'],
    );
    assert.equal(data.length, 9);
    assert.deepEqual(
      data.map((one: Record<string, unknown>) => [one.published_at, one.reaction_count, one.comment_count]),
      [
        ['2026-07-26T16:59:42.289Z', 2656, 377],
        ['2026-07-25T16:33:39.632Z', 2945, 286],
        ['2026-07-24T22:32:27.231Z', 4119, 338],
        ['2026-07-23T04:37:59.215Z', 1220, 170],
        ['2026-07-20T05:01:01.947Z', 3733, 376],
        ['2026-07-19T01:02:14.018Z', 4329, 332],
        ['2026-07-18T19:50:43.469Z', 1285, 124],
        ['2026-07-18T00:32:14.038Z', 1912, 276],
        ['2026-07-16T02:54:20.821Z', 1537, 214],
      ],
    );
    assert.equal(
      data[0].article.url,
      'https://www.linkedin.com/pulse/memories-from-inspiring-trip-rwanda-bill-gates-ojyye',
    );
    assert.equal(data[1].images.length, 1);
    assert.equal(data[7].document.page_count, 4);
    assert.match(data[8].article.url, /^https:\/\/www\.who\.int\/news\/item\//);
    assert.deepEqual(
      data.map((one: { video: unknown }) => one.video !== null),
      [false, false, true, false, true, false, true, false, false],
    );
    assert.equal(meta.next_cursor, null);
  });

  test('posts in lists: the person’s own', async () => {
    const { data } = await answer(
      [nadella, refusals],
      ['posts', '--profile-url', 'https://www.linkedin.com/in/satyanadella'],
    );
    assert.equal(data.length, 8);
    assert.equal(data[0].published_at, '2026-07-23T16:33:33.846Z');
    assert.ok(data.every((one: Record<string, unknown>) => one.reaction_count === null && one.text !== null));
  });

  test('posts of a person who only liked others’', async () => {
    const { data } = await answer(
      [guido],
      ['posts', '--profile-url', 'https://www.linkedin.com/in/guido-van-rossum-4a0756'],
    );
    assert.deepEqual(data, []);
  });

  test('a company', async () => {
    const { data } = await answer([audiense], ['company', 'audiense']);
    assert.deepEqual(
      { ...data, description: null },
      {
        name: 'Audiense',
        tagline: 'Put consumer segmentation and cultural understanding at the center of your strategy.',
        description: null,
        website: 'http://www.audiense.com',
        industry: 'Advertising Services',
        company_size: '51-200 employees',
        employees_on_pronetwork: 69,
        headquarters: 'London, London',
        company_type: 'Privately Held',
        founded: 2011,
        specialties: [],
        follower_count: 5750,
      },
    );
    assert.match(data.description, /^The Audiense platform combines[\s\S]*\n• Explore[\s\S]*strategy$/);
  });

  test('posts of a company', async () => {
    const { data, meta } = await answer(
      [audiense],
      ['posts', '--company-url', 'https://uk.linkedin.com/company/audiense/'],
    );
    assert.deepEqual(
      data.map((one: Record<string, unknown>) => [one.reaction_count, one.comment_count]),
      [
        [33, 2],
        [11, 0],
        [4, 0],
        [2, 0],
        [11, 1],
        [4, 0],
        [5, 0],
        [4, 0],
        [24, 5],
        [12, 1],
      ],
    );
    assert.equal(data[0].published_at, '2024-10-05T08:23:41.981Z');
    assert.match(data[0].video.url, /mp4-720p/);
    assert.equal(data[4].images.length, 4);
    assert.equal(data[6].article.url, 'https://www.gofundme.com/f/juegaterapia');
    assert.equal(meta.next_cursor, null);
  });

  test('a page of jobs', async () => {
    const list = capture(
      '/jobs-guest/jobs/api/seeMoreJobPostings/search\\?keywords=rust\\+developer&location=San\\+Francisco\\+Bay\\+Area&start=0$',
      'jobs-searchpage-rust-sfbay-2026-01-en',
    );
    const { data } = await answer(
      [list, refusals],
      ['jobs', '--query', 'rust developer', '--location', 'San Francisco Bay Area'],
    );
    assert.deepEqual(data, [
      {
        title: 'Developer Productivity Engineer',
        company: { name: 'Hightouch', url: 'https://www.linkedin.com/company/hightouchio' },
        location: 'San Francisco Bay Area',
        workplace_type: null,
        employment_type: null,
        seniority_level: null,
        salary: null,
        listed_at: '2026-01-11T00:00:00.000Z',
        description: null,
      },
    ]);
  });

  test('a profile that is not found', async () => {
    const missing = capture('/in/ivanahmadfatoni$', 'notfound-profile-2024-06-en');
    assert.equal(await code([missing], ['profile', 'ivanahmadfatoni'], 4), 'profile_not_found');
  });

  test('the guest home and the script challenge are refusals', async () => {
    for (const name of ['block-guest-homepage-2024-06', 'block-js-cookie-challenge-2024-06']) {
      assert.equal(await code([capture('/in/', name)], ['profile', 'williamhgates'], 5), 'platform_blocked');
      assert.equal(await code([capture('/company/', name)], ['company', 'audiense'], 5), 'platform_blocked');
    }
  });

  test('a profile in place of another is nobody’s', async () => {
    const swapped = { ...nadella, url: `^${site}/in/williamhgates$` };
    assert.equal(await code([swapped], ['profile', 'williamhgates'], 5), 'platform_changed');
  });
});
