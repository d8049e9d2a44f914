import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import { readCompanyPosts, readMorePosts } from '../../../lib/platforms/pronetwork/company-posts.js';
import { readJobList } from '../../../lib/platforms/pronetwork/job-list.js';
import { readJobPage } from '../../../lib/platforms/pronetwork/job-page.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
import { readProfilePosts } from '../../../lib/platforms/pronetwork/profile-posts.js';
import { page } from '../../../lib/web/page.js';

const site = 'https://www.linkedin.com';
const html = (url: string, key: string, body: string, head = '') =>
  page(
    url,
    200,
    {},
    Buffer.from(
      `<html><head><meta name="pageKey" content="${key}"><link rel="canonical" href="${url}">${head}</head><body><main>${body}</main></body></html>`,
    ),
  );
const ld = (thing: unknown) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;

describe('a profile page', () => {
  const identity = { kind: 'in', vanity: 'ilse' } as const;
  const read = (body: string, head = '') =>
    readProfilePage(html(`${site}/in/ilse`, 'public_profile_v3_desktop', body, head), identity);
  const top = (inside: string, after = '') =>
    `<section class="top-card-layout"><h1 class="top-card-layout__title">Ilse</h1>${inside}</section>${after}`;
  const experience = (item: string) =>
    top('', `<section data-section="experience"><ul class="experience__list">${item}</ul></section>`);

  test('has its name in a button, or a button around it', () => {
    const nameOf = (h1: string) => read(`<section class="top-card-layout">${h1}</section>`).full_name;
    assert.equal(nameOf('<h1 class="top-card-layout__title"><button>Ilse <b>B</b></button></h1>'), 'Ilse B');
    assert.equal(nameOf('<button><h1 class="top-card-layout__title"> Ilse\n B </h1></button>'), 'Ilse B');
  });

  test('an empty name means a changed page, and a sign-in window’s name is ignored', () => {
    assert.throws(
      () => read('<section class="top-card-layout"><h1 class="top-card-layout__title"> </h1></section>'),
      { code: 'platform_changed' },
    );
    assert.throws(
      () =>
        read(
          '<section class="top-card-layout"><div class="modal"><h1 class="top-card-layout__title">Sign in</h1></div></section>',
        ),
      { code: 'platform_changed' },
    );
  });

  test('an employer and a school of the description fill lists that the page does not show', () => {
    const described = (text: string) => {
      const { experience, education } = read(top(''), `<meta name="description" content="${text}">`);
      return [experience.map(({ company }) => company), education.map(({ school }) => school)];
    };
    const end = '500+ connections on LinkedIn. View Ilse’s profile.';
    for (const [text, companies, schools] of [
      [
        'Kilns · Experience: Ember &amp; Clay · Education: Oslo Map School · Location: Bergen',
        ['Ember & Clay'],
        ['Oslo Map School'],
      ],
      ['Experience: Ember', ['Ember'], []],
      ['Education: Oslo Map School · Location: Bergen', [], ['Oslo Map School']],
      // What people write of themselves comes first, and may look alike.
      ['Experience: 10 years · I draw · Location: Bergen', [], []],
      ['Experience: *****', [], []],
      ['Experiência: Arafesad · Localidade: Bergen', [], []],
    ] as const)
      assert.deepEqual(described(`${text} · ${end}`), [companies, schools], text);
    assert.deepEqual(described('Experience: Ember. View Ilse’s profile.'), [[], []]);
    const shown = experience(
      '<li class="experience-item"><h4 class="experience-item__subtitle">Ash</h4></li>',
    );
    assert.equal(
      read(shown, `<meta name="description" content="Experience: Ember · ${end}">`).experience[0]?.company,
      'Ash',
    );
  });

  test('counts come before the place, after it, or alone', () => {
    const line = (spans: string) =>
      read(top(`<div class="profile-info-subheader"><div class="not-first-middot">${spans}</div></div>`));
    const { location, follower_count, connection_count } = line('<span>500+ connections</span>');
    assert.deepEqual([location, follower_count, connection_count], [null, null, 500]);
    assert.equal(line('<span>Oslo</span><span>2K followers</span>').follower_count, 2000);
    assert.equal(line('<span>Oslo</span><span>2K followers</span>').location, 'Oslo');
  });

  test('exact followers of its JSON-LD are preferred to rounded ones; other persons’ are ignored', () => {
    const followers = (count: number) => ({
      interactionStatistic: [
        { interactionType: 'https://schema.org/FollowAction', userInteractionCount: count },
      ],
    });
    const graph = {
      '@graph': [
        { '@type': 'Person', name: 'Jon', url: `${site}/in/jon`, ...followers(9) },
        { '@type': 'Person', name: 'Ilse', sameAs: `${site}/in/ilse`, ...followers(12_043) },
      ],
    };
    const body = top(
      '<div class="profile-info-subheader"><div class="not-first-middot"><span>12K followers</span></div></div>',
    );
    assert.equal(read(body, ld(graph)).follower_count, 12_043);
    assert.equal(read(body, ld({ '@graph': graph['@graph'].slice(0, 1) })).follower_count, 12_000);
    assert.equal(read(body, '<script type="application/ld+json">{"broken</script>').follower_count, 12_000);
  });

  test('JSON-LD makes dates more precise if both have one employer of that name', () => {
    const item = (year: string) =>
      `<li class="experience-item"><span class="experience-item__title">x</span><span class="experience-item__subtitle">Co</span><p class="experience-item__meta-item"><span class="date-range"><time>${year}</time> - <time>2019</time></span></p></li>`;
    const person = (...dates: [string, string][]) =>
      ld({
        '@type': 'Person',
        url: `${site}/in/ilse`,
        alumniOf: dates.map(([startDate, endDate]) => ({
          '@type': 'Organization',
          name: 'Co',
          member: { startDate, endDate },
        })),
      });
    const [one] = read(experience(item('2014')), person(['2014-02', '2019-11'])).experience;
    assert.deepEqual([one?.start_date, one?.end_date], ['2014-02', '2019-11']);
    const [other] = read(experience(item('2014')), person(['2013-02', '2019-11'])).experience;
    assert.deepEqual([other?.start_date, other?.end_date], ['2014', '2019-11']);
    const [unclear] = read(
      experience(item('2014')),
      person(['2014-02', '2019-11'], ['2014-03', '2019-12']),
    ).experience;
    assert.deepEqual([unclear?.start_date, unclear?.end_date], ['2014', '2019']);
  });

  test('masked titles are null, in the list too', () => {
    const [one] = read(
      experience(
        '<li><span class="experience-item__title">*** ****</span><span class="experience-item__subtitle">Co</span></li>',
      ),
    ).experience;
    assert.equal(one?.title, null);
    assert.equal(one?.company, 'Co');
    assert.equal(one?.is_current, null);
  });

  test('is not found by its own words, and not by those about another', () => {
    const missing = '<div class="page-not-found"><h1>An exact match could not be found.</h1></div>';
    const about = (vanity: string) => {
      const answer = html(`${site}/public-profile/in/${vanity}`, 'public_profile_v3_desktop', missing);
      return { ...answer, url: `${site}/in/ilse` };
    };
    assert.throws(() => readProfilePage(about('ilse'), identity), { code: 'profile_not_found' });
    assert.throws(() => readProfilePage(about('jon'), identity), { code: 'platform_changed' });
  });

  test('a name behind asterisks is not a name', () => {
    assert.throws(
      () =>
        read('<section class="top-card-layout"><h1 class="top-card-layout__title">**** ***</h1></section>'),
      { code: 'platform_changed' },
    );
  });

  test('breaks that JSON-LD writes as tags are new lines, and its other text stays unchanged', () => {
    const person = (description: string, key: 'worksFor' | 'alumniOf') => ({
      '@type': 'Person',
      url: `${site}/in/ilse`,
      description,
      [key]: [{ '@type': 'Organization', name: 'Co', member: { startDate: '2014-02', description } }],
    });
    for (const key of ['worksFor', 'alumniOf'] as const) {
      const { about, experience } = read(top(''), ld(person('Kilns &amp; more. <br>Slow <b>&lt;3.', key)));
      assert.deepEqual([about, experience[0]?.description], Array(2).fill('Kilns & more.\nSlow <3.'));
      const plain = read(top(''), ld(person('Kilns\n\n• slow', key)));
      assert.deepEqual([plain.about, plain.experience[0]?.description], Array(2).fill('Kilns\n\n• slow'));
    }
  });

  test('an employer of the JSON-LD is the present one by its dates alone: masked profiles list all of them', () => {
    const state = (key: 'worksFor' | 'alumniOf', member?: object) => {
      const employer = { '@type': 'Organization', name: 'Co', member };
      const person = { '@type': 'Person', url: `${site}/in/ilse`, [key]: [employer] };
      return read(top(''), ld(person)).experience[0]?.is_current;
    };
    assert.equal(state('worksFor'), null);
    assert.equal(state('worksFor', { description: '** *****' }), null);
    assert.equal(state('worksFor', { startDate: 2014 }), true);
    assert.equal(state('worksFor', { startDate: 2014, endDate: 2019 }), false);
    assert.equal(state('alumniOf'), false);
  });

  test('what follows a degree without the mark of a field may be the grade', () => {
    const studies = (facts: string) => {
      const item = `<li class="education__list-item"><h3>Fjord</h3><h4>${facts}</h4></li>`;
      const [school] = read(top('', `<section data-section="educationsDetails">${item}</section>`)).education;
      return [school?.degree, school?.field_of_study];
    };
    const fact = (words: string, mark = '') => `<span class="control-transition"${mark}>${words}</span>`;
    const field = fact('Glass', ' data-section="educations"');
    assert.deepEqual(studies(fact('Master') + field + fact('9.7 of 10')), ['Master', 'Glass']);
    assert.deepEqual(studies(fact('Master') + fact('9.7 of 10')), ['Master', null]);
    assert.deepEqual(studies(field + fact('9.7 of 10')), [null, 'Glass']);
    assert.deepEqual(studies('-'), [null, null]);
  });

  test('the sign next to a school’s only date tells whether it is the start or the end', () => {
    const years = (range: string) => {
      const item = `<li class="education__list-item"><h3>Fjord</h3><span class="date-range">${range}</span></li>`;
      const [school] = read(top('', `<section data-section="educationsDetails">${item}</section>`)).education;
      return [school?.start_date, school?.end_date];
    };
    assert.deepEqual(years('<time>2009</time> - <time>2011</time>'), ['2009', '2011']);
    assert.deepEqual(years('<time>2009</time> – <!---->'), ['2009', null]);
    assert.deepEqual(years('- <time>2011</time>'), [null, '2011']);
    assert.deepEqual(years('<time>2011</time>'), [null, null]);
    assert.deepEqual(years(''), [null, null]);
  });

  test('skills that no item shows are unknown', () => {
    const section = (items: string) => top('', `<section data-section="skills"><ul>${items}</ul></section>`);
    assert.equal(read(top('')).skills, null);
    assert.equal(read(section('<li class="skills__item"><button>See 3+</button></li>')).skills, null);
    assert.deepEqual(read(section('<li class="skills__item">A &amp; B</li>')).skills, ['A & B']);
  });
});

describe('rows of experience and education prove themselves', () => {
  const identity = { kind: 'in', vanity: 'ilse' } as const;
  const person = ld({
    '@type': 'Person',
    url: `${site}/in/ilse`,
    jobTitle: ['Potter'],
    worksFor: [{ '@type': 'Organization', name: 'Ember', member: { startDate: '2019-04' } }],
    alumniOf: [{ '@type': 'EducationalOrganization', name: 'Fjord', member: { startDate: 2001 } }],
  });
  const dates =
    '<p class="experience-item__meta-item"><span class="date-range"><time>Apr 2019</time> - Present <span>5 years</span></span></p>';
  const text = (words: string) =>
    `<div class="experience-item__meta-item" data-section="currentPositions"><div class="show-more-less-text"><p class="show-more-less-text__text--less">${words}</p></div></div>`;
  const inside = (title: string, words: string) =>
    `<h3><span class="experience-item__title">${title}</span></h3><h4><span class="experience-item__subtitle">Ember</span></h4>${dates}<p class="experience-item__meta-item">Bergen</p>${text(words)}`;
  const single = `<li class="experience-item">${inside('Glazier', 'Glazes.')}</li>`;
  const group = `<li class="experience-group"><h4 class="experience-group-header__company">Ember</h4><p class="experience-group-header__meta-item"><span class="date-range"><span>9 years</span></span></p><ul class="experience-group__positions"><li>${inside('Founder', 'Founds.')}</li><li>${inside('Potter', 'Throws.')}</li></ul></li>`;
  const school =
    '<section data-section="educationsDetails"><ul class="education__list"><li class="education__list-item"><h3>Fjord</h3><h4><span class="control-transition">Master</span></h4></li></ul></section>';
  const fullHtml = `<section class="top-card-layout"><h1 class="top-card-layout__title">Ilse</h1></section><section data-section="experience"><ul class="experience__list">${group}${single}</ul></section>${school}`;
  const read = (body: string, head = '') =>
    readProfilePage(html(`${site}/in/ilse`, 'public_profile_v3_desktop', body, head), identity);

  test('positions of a group keep their own text', () => {
    assert.deepEqual(
      read(fullHtml).experience.map((one) => [
        one.title,
        one.company,
        one.location,
        one.start_date,
        one.description,
      ]),
      [
        ['Founder', 'Ember', 'Bergen', '2019-04', 'Founds.'],
        ['Potter', 'Ember', 'Bergen', '2019-04', 'Throws.'],
        ['Glazier', 'Ember', 'Bergen', '2019-04', 'Glazes.'],
      ],
    );
    assert.deepEqual(read(fullHtml.replaceAll('experience-group-header__company', 'x')), read(fullHtml));
  });

  for (const [what, from, to] of [
    ['the list of a group', 'experience-group__positions', 'x'],
    ['the list', 'experience__list', 'x'],
    ['the section', 'data-section="experience"', 'data-section="x"'],
    ['the dates', 'date-range', 'x'],
    ['the dates, and their times', 'class="date-range"><time>Apr 2019</time>', 'class="x"><b>Apr 2019</b>'],
    ['titles and companies', 'experience-item__title">', 'x">'],
    ['an item', '<li class="experience-item">', '<dd class="experience-item">'],
  ] as const) {
    test(`${what} under another name: the JSON-LD, or changed`, () => {
      let body = fullHtml.replaceAll(from, to);
      if (what === 'titles and companies')
        body = body.replaceAll(/experience-item__subtitle|experience-group-header__company/g, 'y');
      assert.notEqual(body, fullHtml);
      assert.throws(() => read(body), { code: 'platform_changed' });
      assert.deepEqual(
        read(body, person).experience.map(({ title, company }) => [title, company]),
        [['Potter', 'Ember']],
      );
    });
  }

  for (const [what, from, to] of [
    ['its section', 'educationsDetails', 'x'],
    ['its items', 'education__list-item', 'x'],
    ['its school', /<(\/?)h3>(?=Fjord|<h4>)/g, '<$1h6>'],
  ] as const) {
    test(`education with another name of ${what}: the JSON-LD, or changed`, () => {
      const body = fullHtml.replaceAll(from, to);
      assert.notEqual(body, fullHtml);
      assert.throws(() => read(body), { code: 'platform_changed' });
      assert.deepEqual(
        read(body, person).education.map((one) => [one.school, one.start_date]),
        [['Fjord', '2001']],
      );
    });
  }

  test('a place may contain a number that is not a date', () => {
    for (const place of ['2000 Antwerp', '12 Main St, Oslo', 'Bergen'])
      assert.equal(read(fullHtml.replaceAll('>Bergen<', `>${place}<`)).experience[0]?.location, place);
    for (const place of ['Apr 2019', '2014 - Present', 'apr. 2019 – nu', '2019年4月 - 現在'])
      assert.throws(() => read(fullHtml.replaceAll('>Bergen<', `>${place}<`)), { code: 'platform_changed' });
  });

  test('two pages in one belong to no one', () => {
    const two = `${fullHtml}${fullHtml.replaceAll('Ilse', 'Jon')}`;
    assert.throws(() => read(two), { code: 'platform_changed' });
  });
});

describe('a company page', () => {
  const identity = { kind: 'company', vanity: 'co' } as const;
  const read = (subline: string, head = '') =>
    readCompanyPage(
      html(
        `${site}/company/co`,
        'd_org_guest_company_overview',
        `<section class="top-card-layout"><h1 class="top-card-layout__title">Co &amp; Co</h1><h3 class="top-card-layout__first-subline">${subline}</h3></section>`,
        head,
      ),
      identity,
    );

  test('distinguishes followers from the place, in any language', () => {
    assert.equal(read('Oslo <span></span> 1,250 followers').follower_count, 1250);
    assert.equal(read('5 750 abonnés').follower_count, 5750);
    assert.equal(read('Paris 15 <span></span> 1\u202f250 abonnés').follower_count, 1250);
    assert.equal(read('Paris 15').follower_count, null);
    assert.equal(read('').follower_count, null);
  });

  test('finds followers at the start of its summary, and no other number there', () => {
    const summary = (text: string) => read('', `<meta name="description" content="${text}">`).follower_count;
    assert.equal(summary('Co &amp; Co | 527,060 followers on LinkedIn. Since 1998'), 527_060);
    assert.equal(summary('Another | 527,060 followers'), null);
    assert.equal(summary('Co &amp; Co | Since 1998'), null);
  });

  test('takes the organisation that is described, not the authors of posts', () => {
    const author = { '@type': 'Organization', name: 'Other' };
    const ownCompany = {
      '@type': 'Organization',
      name: 'Co &amp; Co',
      numberOfEmployees: { value: 7 },
      description: 'D',
    };
    assert.equal(read('', ld({ '@graph': [author, ownCompany] })).employees_on_pronetwork, 7);
    assert.equal(read('', ld(ownCompany)).employees_on_pronetwork, 7);
    assert.equal(read('', ld(author)).employees_on_pronetwork, null);
    const otherCompany = { ...ownCompany, url: `${site}/company/other`, numberOfEmployees: { value: 9 } };
    const namedCompany = { ...ownCompany, url: `${site}/company/co` };
    assert.equal(read('', ld({ '@graph': [otherCompany, namedCompany] })).employees_on_pronetwork, 7);
    assert.equal(read('', ld(otherCompany)).employees_on_pronetwork, null);
  });

  test('specialties are unknown if a row may contain them', () => {
    const specialties = (rows: string) =>
      readCompanyPage(
        html(
          `${site}/company/co`,
          'p_org_guest_company_overview',
          `<section class="top-card-layout"><h1 class="top-card-layout__title">Co</h1></section>${rows}`,
        ),
        identity,
      ).specialties;
    const about = (...names: string[]) =>
      `<section data-test-id="about-us"><dl>${names.map((name) => `<div data-test-id="about-us__${name}"><dt>x</dt><dd>Kilns, and glass</dd></div>`).join('')}</dl></section>`;
    assert.equal(specialties(''), null);
    assert.equal(specialties(about()), null);
    assert.equal(specialties(about('size', 'specialities')), null);
    assert.deepEqual(specialties(about('size', 'industries')), []);
    assert.deepEqual(specialties(about('size', 'specialties')), ['Kilns', 'glass']);
  });
});

describe('posts', () => {
  const article = (id: string, inside = '') =>
    `<li><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${id}">${inside}</article></li>`;
  const feed = (name: string, kind = 'actor-name') =>
    `<a href="${site}/company/${name}?trk=organization_guest_main-feed-card_feed-${kind}">x</a>`;
  const company = (items: string) =>
    readCompanyPosts(
      html(
        `${site}/company/co`,
        'd_org_guest_company_overview',
        `<h1 class="top-card-layout__title">Co</h1><section data-test-id="updates"><ul class="updates__list">${items}</ul></section>`,
      ),
      { kind: 'company', vanity: 'co' },
    ).posts;

  test('a card in the feed of another is refused; a fragment must say whose it is', () => {
    const changed = { code: 'platform_changed' };
    const repost = article('7000000000000000001', feed('co', 'reaction-header') + feed('other'));
    const foreign = article('7000000000000000002', feed('other'));
    assert.equal(company(repost + article('7000000000000000003')).length, 2);
    assert.throws(() => company(repost + foreign), changed);
    const fragment = (items: string) =>
      readMorePosts(page(`${site}/feed`, 200, {}, Buffer.from(items)), 'co', false)?.length;
    assert.equal(fragment(repost), 1);
    assert.throws(() => fragment(foreign), changed);
    assert.throws(() => fragment(article('7000000000000000003')), changed);
    assert.throws(() => fragment('<li>nothing</li>'), changed);
    assert.equal(fragment('<code id="feedPageStart"><!--20--></code>'), undefined);
  });

  test('a fragment that is not found says nothing of the company, whose page was there', () => {
    for (const isFirst of [true, false])
      assert.throws(() => readMorePosts(page(`${site}/feed`, 404, {}, Buffer.from('')), 'co', isFirst), {
        code: 'platform_changed',
      });
  });

  test('a post’s own page returns the card with its number, in any position', () => {
    const [one, two] = ['7000000000000000001', '7000000000000000002'];
    const words = (text: string) => `<p data-test-id="main-feed-activity-card__commentary">${text}</p>`;
    const read = (pageId: string, postId: string) =>
      readPostPage(
        html(
          `${site}/feed/update/urn:li:activity:${pageId}`,
          'd_public_post',
          article(one as string, words('One')) + article(two as string, words('Two')),
        ),
        postId,
      ).text;
    assert.equal(read(one as string, one as string), 'One');
    assert.equal(read(one as string, two as string), 'Two');
    assert.throws(() => read(one as string, '7000000000000000009'), { code: 'platform_changed' });
    // The page names itself by its share; the card has the number of the activity.
    assert.equal(read('7000000000000000009', '7000000000000000009'), 'One');
  });

  test('pictures are found by their addresses where the box around them has another name', () => {
    const picture = (path: string) => `https://media.licdn.com/dms/image/v2/D1/${path}/0/1?e=1`;
    const imagesIn = (box: string, path: string) => {
      const media = `<ul data-test-id="${box}"><li><img data-delayed-url="${picture(path)}"></li></ul>`;
      const body = `<h1 class="top-card-layout__title">Ember</h1><section data-test-id="updates"><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:7386505452060098560">${media}</article></section>`;
      const answer = html(`${site}/company/ember`, 'd_org_guest_company_overview', body);
      const { posts } = readCompanyPosts(answer, { kind: 'company', vanity: 'ember' });
      return posts[0]?.post.images.map(({ url }) => url);
    };
    const shrunk = 'feedshare-shrink_800';
    assert.deepEqual(imagesIn('feed-images-content', shrunk), [picture(shrunk)]);
    assert.deepEqual(imagesIn('feed-pictures', shrunk), [picture(shrunk)]);
    for (const path of [
      'profile-displayphoto-shrink_100_100',
      'feedshare-document-images_480',
      'videocover-high',
    ])
      assert.deepEqual(imagesIn('feed-pictures', path), [], path);
  });

  test('a video elsewhere is an article: a link, or a box whose headings hold the link', () => {
    const redirect = `${site}/redir/redirect?url=https%3A%2F%2Fvideos%2Eexample%2Fwatch%3Fv%3Dfire&amp;urlhash=x`;
    const mark = 'data-test-id="ingested-content-summary-external-video-content';
    const card = (media: string) =>
      `<section data-test-id="updates"><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:7386505452060098560">${media}</article></section>`;
    const article = (media: string) => {
      const body = `<h1 class="top-card-layout__title">Ember</h1>${card(media)}`;
      const answer = html(`${site}/company/ember`, 'd_org_guest_company_overview', body);
      return readCompanyPosts(answer, { kind: 'company', vanity: 'ember' }).posts[0]?.post.article;
    };
    const expected = { title: 'Fire', url: 'https://videos.example/watch?v=fire', thumbnail_url: null };
    assert.deepEqual(
      article(`<a ${mark}" href="${redirect}"><div ${mark}__headings"><h2>Fire</h2></div></a>`),
      expected,
    );
    const frame = '<iframe data-delayed-url="https://videos.example/embed/fire"></iframe>';
    assert.deepEqual(
      article(
        `<div ${mark}">${frame}<section ${mark}__headings"><a href="${redirect}"><h3>Fire</h3></a><h4>https://videos.example/</h4></section></div>`,
      ),
      expected,
    );
    assert.equal(
      article(`<div ${mark}">${frame}<section ${mark}__headings"><h3>Fire</h3></section></div>`),
      null,
    );
  });

  test('a page saved by a browser holds the fragments that the browser loaded: all of them are read', () => {
    const items = Array.from({ length: 30 }, (_, n) =>
      article(`73540414045174743${String(n).padStart(2, '0')}`),
    );
    items.splice(10, 0, '<code id="feedPageStart"><!--10--></code>');
    assert.equal(company(items.join('')).length, 30);
  });

  test('a repost without an address is found by its number', () => {
    const [one] = company(article('7353670809363591170', '<p class="main-feed-activity-card__header">x</p>'));
    assert.equal(one?.permalink, `${site}/feed/update/urn:li:activity:7353670809363591170`);
    assert.equal(one?.post.published_at?.slice(0, 10), '2025-07-23');
  });

  test('counts: a missing element means none next to the bar, and unknown without it', () => {
    const bar = '<div class="social-action-bar"></div>';
    const counts = (inside: string) => {
      const [one] = company(article('7353670809363591170', inside));
      return [one?.post.reaction_count, one?.post.reaction_breakdown, one?.post.comment_count];
    };
    assert.deepEqual(counts(''), [null, null, null]);
    assert.deepEqual(counts(bar), [0, [], 0]);
    const html =
      '<a data-test-id="social-actions__reactions"><span data-test-id="social-actions__reaction-count">2,656</span></a><a data-test-id="social-actions__comments">377 Comments</a>';
    assert.deepEqual(counts(html + bar), [2656, null, 377]);
  });

  test('a post’s page that is about another post is not used', () => {
    const pageOf = (id: string) =>
      html(
        `${site}/posts/x`,
        'd_public_post',
        article(id, '<p data-test-id="main-feed-activity-card__commentary">t</p>'),
      );
    assert.equal(readPostPage(pageOf('7353670809363591170'), '7353670809363591170').text, 't');
    assert.throws(() => readPostPage(pageOf('7353670809363591170'), '7353670809363591171'), {
      code: 'platform_changed',
    });
    assert.throws(() => readPostPage(html(`${site}/posts/x`, 'd_public_post', ''), '7353670809363591170'), {
      code: 'platform_changed',
    });
  });

  test('a list keeps a person’s own posts, whose name may hold the sign that ends it', () => {
    const item = (slug: string) =>
      `<li><div class="base-main-card"><a class="base-card__full-link" href="${site}/posts/${slug}-activity-7353670809363591170-x"></a><h3>t</h3></div></li>`;
    const read = (vanity: string) =>
      readProfilePosts(
        html(
          `${site}/in/${vanity}`,
          'public_profile_v3_desktop',
          `<h1 class="top-card-layout__title">x</h1><ul data-test-id="activities__list">${['ann_hello', 'ann_lee_hello', 'annie_hello', '%C3%A5sa_hej'].map(item).join('')}</ul>`,
        ),
        { kind: 'in', vanity },
      ).posts.map(({ permalink }) => permalink?.split('/posts/')[1]?.split('-')[0]);
    assert.deepEqual(read('ann_lee'), ['ann_lee_hello']);
    assert.deepEqual(read('annie'), ['annie_hello']);
    assert.deepEqual(read('åsa'), ['%C3%A5sa_hej']);
    assert.deepEqual(read('nobody'), []);
  });

  test('after a change of name, posts under the old one are the person’s own', () => {
    const item = (name: string, at: number) =>
      `<li><div class="base-main-card"><a class="base-card__full-link" href="${site}/posts/${name}_hello-activity-735367080936359117${at}-x"></a><h3>t</h3></div></li>`;
    const answer = html(
      `${site}/in/ann-new`,
      'public_profile_v3_desktop',
      `<h1 class="top-card-layout__title">x</h1><ul data-test-id="activities__list">${['ann', 'jon', 'ann-new'].map(item).join('')}</ul>`,
    );
    assert.equal(readProfilePosts(answer, { kind: 'in', vanity: 'ann' }).posts.length, 2);
  });

  test('a list with a post without address is changed, because its author is unknown', () => {
    const item = (link: string) => `<li><div class="base-main-card">${link}<h3>t</h3></div></li>`;
    const ownLink = `<a class="base-card__full-link" href="${site}/posts/ann_hello-activity-7353670809363591170-x"></a>`;
    const read = (items: string) =>
      readProfilePosts(
        html(
          `${site}/in/ann`,
          'public_profile_v3_desktop',
          `<h1 class="top-card-layout__title">x</h1><ul data-test-id="activities__list">${items}</ul>`,
        ),
        { kind: 'in', vanity: 'ann' },
      ).posts.length;
    assert.equal(read(item(ownLink)), 1);
    assert.throws(() => read(item(ownLink) + item('<a></a>')), { code: 'platform_changed' });
  });
});

describe('jobs', () => {
  const id = '4300000001';
  const url = `${site}/jobs-guest/jobs/api/jobPosting/4300000001`;
  const fragment = (body: string, from = url) => page(from, 200, {}, Buffer.from(body));
  const title = '<section class="top-card-layout"><h2 class="topcard__title">T</h2></section>';
  const posting = '<code id="decoratedJobPostingId"><!--"4300000001"--></code>';

  const lighthouse = 'Lighthouse keeper';

  test('a page of another search is changed, one in corrected words is not', () => {
    const read = (query: string) =>
      readJobList(
        html(
          `${site}/jobs/search`,
          'd_jobs_guest_search',
          '<code id="totalResults"><!--0--></code>',
          `<meta property="lnkd:url" content="${site}/jobs/search?location=Oslo&amp;keywords=${query}">`,
        ),
        true,
        lighthouse,
      );
    assert.deepEqual(read('lighthouse+keepers')?.jobs, []);
    assert.throws(() => read('rust+developer'), { code: 'platform_changed' });
    const titled = (words: string) =>
      readJobList(
        html(
          `${site}/jobs/search`,
          'd_jobs_guest_search',
          '<code id="totalResults"><!--0--></code>',
          `<title>${words}</title>`,
        ),
        true,
        lighthouse,
      );
    for (const words of ['0 Lighthouse Keepers jobs in Oslo', 'Jobs in Oslo | LinkedIn', '12 jobs'])
      assert.deepEqual(titled(words)?.jobs, [], words);
    for (const words of ['0 SDE-2 UI jobs in Gurugram', '1,000+ Rust Developer jobs'])
      assert.throws(() => titled(words), { code: 'platform_changed' }, words);
  });

  test('a complete page without jobs is an empty list only if it says so', () => {
    const read = (body: string, head = '') =>
      readJobList(html(`${site}/jobs/search`, 'd_jobs_guest_search', body, head), true, lighthouse)?.jobs;
    assert.deepEqual(read('<code id="totalResults"><!--0--></code>'), []);
    const none = (words: string) =>
      `<section class="no-results"><h1>No match for <strong class="no-results__main-title-keywords">${words}</strong></h1></section>`;
    const suggested =
      '<ul class="jobs-search__results-list"><li><div data-entity-urn="urn:li:jobPosting:1"><h3 class="base-search-card__title">T</h3></div></li></ul>';
    assert.deepEqual(read(none('lighthouse keeper jobs in Oslo')), []);
    assert.deepEqual(read(none('lighthouse keeper jobs in Oslo') + suggested), []);
    assert.equal(read(suggested)?.length, 1);
    assert.deepEqual(read(`${suggested}<code id="totalResults"><!--0--></code>`), []);
    for (const [body, head] of [
      ['', ''],
      ['<code id="totalResults"><!--12--></code>', ''],
      ['', '<meta name="linkedin:pageTag" content="emptyResult=true">'],
      [none('lamps'), ''],
    ] as const) {
      assert.throws(() => read(body, head), { code: 'platform_changed' });
    }
  });

  test('a fragment without a card around its title is read as well', () => {
    const { job } = readJobPage(
      fragment(
        `<div><h2 class="topcard__title">T</h2><span class="topcard__flavor">Co</span></div>${posting}`,
      ),
      id,
    );
    assert.deepEqual(job.company, { name: 'Co', url: null });
  });

  test('a page about another job is not used, whichever way it says so', () => {
    for (const other of [
      fragment(`${title}<code id="decoratedJobPostingId"><!--"4300000002"--></code>`),
      fragment(title),
      fragment(`${title}${title}${posting}`),
      fragment(
        `<a class="topcard__link" href="${site}/jobs/view/t-4300000002"><h2 class="topcard__title">T</h2></a>${posting}`,
      ),
      fragment(`${title}${posting}`, `${site}/jobs/view/other-job-4300000002?trk=expired_jd_redirect`),
      html(
        `${site}/jobs/view/4300000001`,
        'd_jobs_guest_details',
        title,
        `<link rel="canonical" href="${site}/jobs/view/t-at-co-4300000002">`,
      ),
    ])
      assert.throws(() => readJobPage(other, id), { code: 'platform_changed' });
  });

  test('a page of jobs instead of the job’s own is changed', () => {
    assert.throws(() => readJobPage(html(`${site}/jobs/search`, 'd_jobs_guest_search', title), id), {
      code: 'platform_changed',
    });
  });

  test('cards of any root element are found; one without a number is changed', () => {
    const card = (tag: string, urn: string) =>
      `<li><${tag} class="base-search-card" data-entity-urn="${urn}"><h3 class="base-search-card__title">T</h3></${tag}></li>`;
    const read = (items: string) =>
      readJobList(page(url, 200, {}, Buffer.from(items)), true, lighthouse)?.jobs.map(({ id }) => id);
    assert.deepEqual(
      read(['div', 'a', 'article'].map((tag, at) => card(tag, `urn:li:jobPosting:${at}`)).join('')),
      ['0', '1', '2'],
    );
    assert.throws(() => read(card('div', 'urn:li:jobPosting:')), { code: 'platform_changed' });
    assert.throws(() => read('<li>nothing</li>'), { code: 'platform_changed' });
  });
});
