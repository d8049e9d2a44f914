import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import { readCompanyPosts, readMorePosts } from '../../../lib/platforms/pronetwork/company-posts.js';
import { readJobList } from '../../../lib/platforms/pronetwork/job-list.js';
import { readJobPage } from '../../../lib/platforms/pronetwork/job-page.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
import { readProfilePosts } from '../../../lib/platforms/pronetwork/profile-posts.js';
import { heading, ld, pageOf, site, sitePage } from './markup.js';

const changed = { code: 'platform_changed' };
const readProfile = (body: string, head = '') =>
  readProfilePage(sitePage('in', 'in/ilse', body, head), { kind: 'in', vanity: 'ilse' });
const describedAs = (text: string) => `<meta name="description" content="${text}">`;
const section = (name: string, inside: string) => `<section data-section="${name}">${inside}</section>`;

describe('a profile page', () => {
  const card = (inside: string) => `<section class="top-card-layout">${inside}</section>`;
  const title = (name: string) => `<h1 class="top-card-layout__title">${name}</h1>`;
  const top = (inside: string) => card(`${title('Ilse')}${inside}`);
  const subheader = (spans: string) =>
    top(`<div class="profile-info-subheader"><div class="not-first-middot">${spans}</div></div>`);
  const experience = (item: string) =>
    top('') + section('experience', `<ul class="experience__list">${item}</ul>`);
  const school = (facts: string) => {
    const item = `<li class="education__list-item"><h3>Fjord</h3>${facts}</li>`;
    return readProfile(top('') + section('educationsDetails', item)).education[0];
  };
  const person = (more: object) => ld({ '@type': 'Person', url: `${site}/in/ilse`, ...more });
  const employer = (more: object = {}) => [{ '@type': 'Organization', name: 'Co', ...more }];

  test('may have its name inside or within a button', () => {
    for (const h1 of [title('<button>Ilse <b>B</b></button>'), `<button>${title(' Ilse\n B ')}</button>`])
      assert.equal(readProfile(card(h1)).full_name, 'Ilse B');
  });

  for (const [name, h1] of [
    ['an empty name', title(' ')],
    ['the name of a sign-in window', `<div class="modal">${title('Sign in')}</div>`],
    ['a name behind asterisks', title('**** ***')],
  ] as const) {
    test(`with ${name} is platform_changed`, () => assert.throws(() => readProfile(card(h1)), changed));
  }

  const end = '500+ connections on LinkedIn. View Ilse’s profile.';
  for (const [text, companies, schools] of [
    [`Kilns · Experience: A &amp; B · Education: C · Location: Oslo · ${end}`, ['A & B'], ['C']],
    [`Experience: Ember · ${end}`, ['Ember'], []],
    [`Education: Oslo Map School · Location: Bergen · ${end}`, [], ['Oslo Map School']],
    // What people write about themselves comes first, and may look alike.
    [`Experience: 10 years · I draw · Location: Bergen · ${end}`, [], []],
    [`Experience: ***** · ${end}`, [], []],
    [`Experiência: Arafesad · Localidade: Bergen · ${end}`, [], []],
    ['Experience: Ember. View Ilse’s profile.', [], []],
  ] as const) {
    test(`has the employers [${companies}] and the schools [${schools}] from “${text}”`, () => {
      const { experience, education } = readProfile(top(''), describedAs(text));
      const names = [experience.map(({ company }) => company), education.map(({ school }) => school)];
      assert.deepEqual(names, [companies, schools]);
    });
  }

  test('prefers shown employers to those of its description', () => {
    const item = '<li class="experience-item"><h4 class="experience-item__subtitle">Ash</h4></li>';
    const shown = readProfile(experience(item), describedAs(`Experience: Ember · ${end}`));
    assert.equal(shown.experience[0]?.company, 'Ash');
  });

  test('has its counts before the location, after it or alone', () => {
    const alone = readProfile(subheader('<span>500+ connections</span>'));
    assert.deepEqual([alone.location, alone.follower_count, alone.connection_count], [null, null, 500]);
    const after = readProfile(subheader('<span>Oslo</span><span>2K followers</span>'));
    assert.deepEqual([after.location, after.follower_count], ['Oslo', 2000]);
  });

  test('prefers exact followers of its JSON-LD to rounded ones, and ignores those of other people', () => {
    const followed = (name: string, place: object, userInteractionCount: number) => {
      const interactionType = 'https://schema.org/FollowAction';
      const interactionStatistic = [{ interactionType, userInteractionCount }];
      return { '@type': 'Person', name, ...place, interactionStatistic };
    };
    const jon = followed('Jon', { url: `${site}/in/jon` }, 9);
    const ilse = followed('Ilse', { sameAs: `${site}/in/ilse` }, 12_043);
    const body = subheader('<span>12K followers</span>');
    assert.equal(readProfile(body, ld({ '@graph': [jon, ilse] })).follower_count, 12_043);
    assert.equal(readProfile(body, ld({ '@graph': [jon] })).follower_count, 12_000);
    const broken = '<script type="application/ld+json">{"broken</script>';
    assert.equal(readProfile(body, broken).follower_count, 12_000);
  });

  for (const [name, dates, expected] of [
    ['more precise dates of the same years', ['2014-02–2019-11'], '2014-02–2019-11'],
    ['another year', ['2013-02–2019-11'], '2014–2019-11'],
    ['two employers of that name', ['2014-02–2019-11', '2014-03–2019-12'], '2014–2019'],
  ] as const) {
    test(`has the dates ${expected} if its JSON-LD has ${name}`, () => {
      const range = '<span class="date-range"><time>2014</time> - <time>2019</time></span>';
      const words = (part: string, text: string) => `<span class="experience-item__${part}">${text}</span>`;
      const item = `<li class="experience-item">${words('title', 'x')}${words('subtitle', 'Co')}<p class="experience-item__meta-item">${range}</p></li>`;
      const alumniOf = dates.flatMap((years) => {
        const [startDate, endDate] = years.split('–');
        return employer({ member: { startDate, endDate } });
      });
      const [one] = readProfile(experience(item), person({ alumniOf })).experience;
      assert.equal(`${one?.start_date}–${one?.end_date}`, expected);
    });
  }

  test('has null for a masked title', () => {
    const item =
      '<li><span class="experience-item__title">*** ****</span><span class="experience-item__subtitle">Co</span></li>';
    const [one] = readProfile(experience(item)).experience;
    assert.deepEqual([one?.title, one?.company, one?.is_current], [null, 'Co', null]);
  });

  test('is profile_not_found by its words, unless they are about another', () => {
    const missing = '<div class="page-not-found"><h1>An exact match could not be found.</h1></div>';
    const read = (vanity: string) => {
      const about = sitePage('in', `public-profile/in/${vanity}`, missing);
      return readProfilePage({ ...about, url: `${site}/in/ilse` }, { kind: 'in', vanity: 'ilse' });
    };
    assert.throws(() => read('ilse'), { code: 'profile_not_found' });
    assert.throws(() => read('jon'), changed);
  });

  for (const key of ['worksFor', 'alumniOf'] as const)
    for (const [written, text] of [
      ['Kilns &amp; more. <br>Slow <b>&lt;3.', 'Kilns & more.\nSlow <3.'],
      ['Kilns\n\n• slow', 'Kilns\n\n• slow'],
    ] as const) {
      test(`has the text of its JSON-LD with line breaks: ${JSON.stringify(written)}, ${key}`, () => {
        const member = { startDate: '2014-02', description: written };
        const described = person({ description: written, [key]: employer({ member }) });
        const { about, experience } = readProfile(top(''), described);
        assert.deepEqual([about, experience[0]?.description], [text, text]);
      });
    }

  for (const [key, member, isCurrent] of [
    // Masked profiles list every employer as a present one.
    ['worksFor', undefined, null],
    ['worksFor', { description: '** *****' }, null],
    ['worksFor', { startDate: 2014 }, true],
    ['worksFor', { startDate: 2014, endDate: 2019 }, false],
    ['alumniOf', undefined, false],
  ] as const) {
    test(`has is_current ${isCurrent} for ${key} with ${JSON.stringify(member)}`, () => {
      const { experience } = readProfile(top(''), person({ [key]: employer({ member }) }));
      assert.equal(experience[0]?.is_current, isCurrent);
    });
  }

  const fact = (words: string, mark = '') => `<span class="control-transition"${mark}>${words}</span>`;
  const field = fact('Glass', ' data-section="educations"');
  for (const [name, facts, degree, study] of [
    ['a degree, a field and a grade', fact('Master') + field + fact('9.7 of 10'), 'Master', 'Glass'],
    ['a degree and a grade', fact('Master') + fact('9.7 of 10'), 'Master', null],
    ['a field and a grade', field + fact('9.7 of 10'), null, 'Glass'],
    ['a dash', '-', null, null],
  ] as const) {
    test(`with ${name} has the degree ${degree} and the field ${study}`, () => {
      const read = school(`<h4>${facts}</h4>`);
      assert.deepEqual([read?.degree, read?.field_of_study], [degree, study]);
    });
  }

  for (const [range, start, finish] of [
    ['<time>2009</time> - <time>2011</time>', '2009', '2011'],
    ['<time>2009</time> – <!---->', '2009', null],
    ['- <time>2011</time>', null, '2011'],
    ['<time>2011</time>', null, null],
    ['', null, null],
  ] as const) {
    test(`has a school from ${start} to ${finish} by “${range}”`, () => {
      const read = school(`<span class="date-range">${range}</span>`);
      assert.deepEqual([read?.start_date, read?.end_date], [start, finish]);
    });
  }

  test('has unknown skills if no item shows them', () => {
    const skills = (items: string) => readProfile(top('') + section('skills', `<ul>${items}</ul>`)).skills;
    assert.equal(readProfile(top('')).skills, null);
    assert.equal(skills('<li class="skills__item"><button>See 3+</button></li>'), null);
    assert.deepEqual(skills('<li class="skills__item">A &amp; B</li>'), ['A & B']);
  });
});

describe('rows of experience and education', () => {
  const organization = (name: string, startDate: unknown) => ({
    '@type': 'Organization',
    name,
    member: { startDate },
  });
  const person = ld({
    ...{ '@type': 'Person', url: `${site}/in/ilse`, jobTitle: ['Potter'] },
    worksFor: [organization('Ember', '2019-04')],
    alumniOf: [{ ...organization('Fjord', 2001), '@type': 'EducationalOrganization' }],
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
    '<ul class="education__list"><li class="education__list-item"><h3>Fjord</h3><h4><span class="control-transition">Master</span></h4></li></ul>';
  const full = `${heading('Ilse')}${section('experience', `<ul class="experience__list">${group}${single}</ul>`)}${section('educationsDetails', school)}`;

  test('of a group have their own texts', () => {
    assert.deepEqual(
      readProfile(full).experience.map((one) => [one.title, one.description]),
      [
        ['Founder', 'Founds.'],
        ['Potter', 'Throws.'],
        ['Glazier', 'Glazes.'],
      ],
    );
    for (const { company, location, start_date } of readProfile(full).experience)
      assert.deepEqual([company, location, start_date], ['Ember', 'Bergen', '2019-04']);
    assert.deepEqual(
      readProfile(full.replaceAll('experience-group-header__company', 'x')),
      readProfile(full),
    );
  });

  for (const [what, from, to] of [
    ['the list of a group', 'experience-group__positions', 'x'],
    ['the list', 'experience__list', 'x'],
    ['the section', 'data-section="experience"', 'data-section="x"'],
    ['the dates', 'date-range', 'x'],
    ['the dates, and their times', 'class="date-range"><time>Apr 2019</time>', 'class="x"><b>Apr 2019</b>'],
    ['titles and companies', /experience-item__(title|subtitle)|experience-group-header__company/g, 'y'],
    ['an item', '<li class="experience-item">', '<dd class="experience-item">'],
  ] as const) {
    test(`come from the JSON-LD, or are platform_changed, with another name for ${what}`, () => {
      const body = full.replaceAll(from, to);
      assert.notEqual(body, full);
      assert.throws(() => readProfile(body), changed);
      const [one, ...more] = readProfile(body, person).experience;
      assert.deepEqual([one?.title, one?.company, more], ['Potter', 'Ember', []]);
    });
  }

  for (const [what, from, to] of [
    ['its section', 'educationsDetails', 'x'],
    ['its items', 'education__list-item', 'x'],
    ['its school', /<(\/?)h3>(?=Fjord|<h4>)/g, '<$1h6>'],
  ] as const) {
    test(`of education come from the JSON-LD, or are platform_changed, with another name for ${what}`, () => {
      const body = full.replaceAll(from, to);
      assert.notEqual(body, full);
      assert.throws(() => readProfile(body), changed);
      const [one, ...more] = readProfile(body, person).education;
      assert.deepEqual([one?.school, one?.start_date, more], ['Fjord', '2001', []]);
    });
  }

  const placed = (place: string) => readProfile(full.replaceAll('>Bergen<', `>${place}<`));
  for (const place of ['2000 Antwerp', '12 Main St, Oslo', 'Bergen'])
    test(`have the location ${place}`, () => assert.equal(placed(place).experience[0]?.location, place));
  for (const date of ['Apr 2019', '2014 - Present', 'apr. 2019 – nu', '2019年4月 - 現在'])
    test(`are platform_changed with ${date} as the location`, () =>
      assert.throws(() => placed(date), changed));

  test('of two pages in one are platform_changed', () =>
    assert.throws(() => readProfile(`${full}${full.replaceAll('Ilse', 'Jon')}`), changed));
});

describe('a company page', () => {
  const read = (inside: string, head = '', more = '') => {
    const card = `<section class="top-card-layout"><h1 class="top-card-layout__title">Co &amp; Co</h1>${inside}</section>`;
    return readCompanyPage(sitePage('company', 'company/co', card + more, head), {
      kind: 'company',
      vanity: 'co',
    });
  };

  for (const [subline, count] of [
    ['Oslo <span></span> 1,250 followers', 1250],
    ['5 750 abonnés', 5750],
    ['Paris 15 <span></span> 1\u202f250 abonnés', 1250],
    ['Paris 15', null],
    ['', null],
  ] as const) {
    test(`has ${count} followers by “${subline}”`, () => {
      const line = `<h3 class="top-card-layout__first-subline">${subline}</h3>`;
      assert.equal(read(line).follower_count, count);
    });
  }

  for (const [summary, count] of [
    ['Co &amp; Co | 527,060 followers on LinkedIn. Since 1998', 527_060],
    ['Another | 527,060 followers', null],
    ['Co &amp; Co | Since 1998', null],
  ] as const) {
    test(`has ${count} followers by its summary “${summary}”`, () =>
      assert.equal(read('', describedAs(summary)).follower_count, count));
  }

  test('has the employees of the described organisation, not of authors of posts', () => {
    const employees = (thing: unknown) => read('', ld(thing)).employees_on_pronetwork;
    const organization = (name: string, value: number, url?: string) => ({
      ...{ '@type': 'Organization', name, description: 'D', numberOfEmployees: { value } },
      ...(url === undefined ? {} : { url: `${site}/company/${url}` }),
    });
    const author = { '@type': 'Organization', name: 'Other' };
    const own = organization('Co &amp; Co', 7);
    const other = organization('Co &amp; Co', 9, 'other');
    assert.equal(employees({ '@graph': [author, own] }), 7);
    assert.equal(employees(own), 7);
    assert.equal(employees(author), null);
    assert.equal(employees({ '@graph': [other, organization('Co &amp; Co', 7, 'co')] }), 7);
    assert.equal(employees(other), null);
  });

  for (const [rows, specialties] of [
    [null, null],
    [[], null],
    [['size', 'specialities'], null],
    [['size', 'industries'], []],
    [
      ['size', 'specialties'],
      ['Kilns', 'glass'],
    ],
  ] as const) {
    test(`with the rows ${JSON.stringify(rows)} has the specialties ${JSON.stringify(specialties)}`, () => {
      const html = rows?.map(
        (name) => `<div data-test-id="about-us__${name}"><dt>x</dt><dd>Kilns, and glass</dd></div>`,
      );
      const about =
        html === undefined ? '' : `<section data-test-id="about-us"><dl>${html.join('')}</dl></section>`;
      assert.deepEqual(read('', '', about).specialties, specialties);
    });
  }
});

describe('posts', () => {
  const [first, second, third] = [
    '7000000000000000001',
    '7000000000000000002',
    '7000000000000000003',
  ] as const;
  const article = (id: string, inside = '') =>
    `<li><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${id}">${inside}</article></li>`;
  const feed = (name: string, kind = 'actor-name') =>
    `<a href="${site}/company/${name}?trk=organization_guest_main-feed-card_feed-${kind}">x</a>`;
  const company = (items: string) => {
    const list = `<section data-test-id="updates"><ul class="updates__list">${items}</ul></section>`;
    const answer = sitePage('company', 'company/co', heading('Co') + list);
    return readCompanyPosts(answer, { kind: 'company', vanity: 'co' }).posts;
  };
  const commentary = (text: string) => `<p data-test-id="main-feed-activity-card__commentary">${text}</p>`;
  const more = (items: string, status = 200, isFirst = false) =>
    readMorePosts(pageOf(`${site}/feed`, items, status), 'co', isFirst)?.length;

  test('of another company are refused, and a fragment must name its company', () => {
    const repost = article(first, feed('co', 'reaction-header') + feed('other'));
    const foreign = article(second, feed('other'));
    assert.equal(company(repost + article(third)).length, 2);
    assert.throws(() => company(repost + foreign), changed);
    assert.equal(more(repost), 1);
    for (const items of [foreign, article(third), '<li>nothing</li>'])
      assert.throws(() => more(items), changed);
    assert.equal(more('<code id="feedPageStart"><!--20--></code>'), undefined);
  });

  test('in a missing fragment are platform_changed', () => {
    for (const isFirst of [true, false]) assert.throws(() => more('', 404, isFirst), changed);
  });

  for (const [pageId, postId, text] of [
    [first, first, 'One'],
    [first, second, 'Two'],
    // The page names itself by its share; the card has the number of the activity.
    [third, third, 'One'],
  ] as const) {
    test(`have the text “${text}” for ${postId} on the page of ${pageId}`, () => {
      const cards = article(first, commentary('One')) + article(second, commentary('Two'));
      const answer = sitePage('feed', `feed/update/urn:li:activity:${pageId}`, cards);
      assert.equal(readPostPage(answer, postId).text, text);
      assert.throws(() => readPostPage(answer, '7000000000000000009'), changed);
    });
  }

  const picture = (path: string) => `https://media.licdn.com/dms/image/v2/D1/${path}/0/1?e=1`;
  for (const [box, path, isImage] of [
    ['feed-images-content', 'feedshare-shrink_800', true],
    ['feed-pictures', 'feedshare-shrink_800', true],
    ['feed-pictures', 'profile-displayphoto-shrink_100_100', false],
    ['feed-pictures', 'feedshare-document-images_480', false],
    ['feed-pictures', 'videocover-high', false],
  ] as const) {
    test(`have ${isImage ? 'a' : 'no'} picture with ${path} in ${box}`, () => {
      const media = `<ul data-test-id="${box}"><li><img data-delayed-url="${picture(path)}"></li></ul>`;
      const images = company(article(first, media))[0]?.post.images.map(({ url }) => url);
      assert.deepEqual(images, isImage ? [picture(path)] : []);
    });
  }

  test('with an external video have an article with its link', () => {
    const link = `href="${site}/redir/redirect?url=https%3A%2F%2Fvideos%2Eexample%2Fwatch%3Fv%3Dfire&amp;urlhash=x"`;
    const mark = 'data-test-id="ingested-content-summary-external-video-content';
    const frame = '<iframe data-delayed-url="https://videos.example/embed/fire"></iframe>';
    const box = (headings: string) =>
      `<div ${mark}">${frame}<section ${mark}__headings">${headings}</section></div>`;
    const linked = box(`<a ${link}><h3>Fire</h3></a><h4>https://videos.example/</h4>`);
    const expected = { title: 'Fire', url: 'https://videos.example/watch?v=fire', thumbnail_url: null };
    for (const [media, articleOf] of [
      [`<a ${mark}" ${link}><div ${mark}__headings"><h2>Fire</h2></div></a>`, expected],
      [linked, expected],
      [box('<h3>Fire</h3>'), null],
    ] as const)
      assert.deepEqual(company(article(first, media))[0]?.post.article, articleOf);
  });

  test('of a page saved by a browser include the loaded fragments', () => {
    const items = Array.from({ length: 30 }, (_, n) =>
      article(`73540414045174743${String(n).padStart(2, '0')}`),
    );
    items.splice(10, 0, '<code id="feedPageStart"><!--10--></code>');
    assert.equal(company(items.join('')).length, 30);
  });

  test('without a URL have that of their number', () => {
    const [one] = company(article('7353670809363591170', '<p class="main-feed-activity-card__header">x</p>'));
    assert.equal(one?.permalink, `${site}/feed/update/urn:li:activity:7353670809363591170`);
    assert.equal(one?.post.published_at?.slice(0, 10), '2025-07-23');
  });

  const bar = '<div class="social-action-bar"></div>';
  const reactions =
    '<a data-test-id="social-actions__reactions"><span data-test-id="social-actions__reaction-count">2,656</span></a><a data-test-id="social-actions__comments">377 Comments</a>';
  for (const [name, inside, counts] of [
    ['unknown counts without the bar', '', [null, null, null]],
    ['counts of 0 with the bar alone', bar, [0, [], 0]],
    ['their counts beside the bar', reactions + bar, [2656, null, 377]],
  ] as const) {
    test(`have ${name}`, () => {
      const { reaction_count, reaction_breakdown, comment_count } =
        company(article(first, inside))[0]?.post ?? {};
      assert.deepEqual([reaction_count, reaction_breakdown, comment_count], counts);
    });
  }

  test('of the page of another post are refused', () => {
    const about = (body: string) => sitePage('feed', 'posts/x', body);
    assert.equal(readPostPage(about(article(first, commentary('t'))), first).text, 't');
    assert.throws(() => readPostPage(about(article(first, commentary('t'))), second), changed);
    assert.throws(() => readPostPage(about(''), first), changed);
  });

  const item = (link: string) => `<li><div class="base-main-card">${link}<h3>t</h3></div></li>`;
  const linked = (slug: string, at = 0) =>
    item(
      `<a class="base-card__full-link" href="${site}/posts/${slug}-activity-735367080936359117${at}-x"></a>`,
    );
  const listOf = (items: string, path = 'in/ann', vanity = 'ann') => {
    const list = `${heading('x')}<ul data-test-id="activities__list">${items}</ul>`;
    return readProfilePosts(sitePage('in', path, list), { kind: 'in', vanity }).posts;
  };

  for (const [vanity, slugs] of [
    ['ann_lee', ['ann_lee_hello']],
    ['annie', ['annie_hello']],
    ['åsa', ['%C3%A5sa_hej']],
    ['nobody', []],
  ] as const) {
    test(`of ${vanity} are told apart from those of names that begin alike`, () => {
      const items = ['ann_hello', 'ann_lee_hello', 'annie_hello', '%C3%A5sa_hej'].map((slug) => linked(slug));
      const own = listOf(items.join(''), `in/${vanity}`, vanity);
      assert.deepEqual(
        own.map(({ permalink }) => permalink?.split('/posts/')[1]?.split('-')[0]),
        slugs,
      );
    });
  }

  test('under an old name belong to the person', () => {
    const items = ['ann', 'jon', 'ann-new'].map((name, at) => linked(`${name}_hello`, at)).join('');
    assert.equal(listOf(items, 'in/ann-new').length, 2);
  });

  test('in a list with a post without a URL are platform_changed', () => {
    assert.equal(listOf(linked('ann_hello')).length, 1);
    assert.throws(() => listOf(linked('ann_hello') + item('<a></a>')), changed);
  });
});

describe('jobs', () => {
  const id = '4300000001';
  const url = `${site}/jobs-guest/jobs/api/jobPosting/${id}`;
  const title = '<section class="top-card-layout"><h2 class="topcard__title">T</h2></section>';
  const numbered = (number: string) => `<code id="decoratedJobPostingId"><!--"${number}"--></code>`;
  const posting = numbered(id);
  const count = (total: number) => `<code id="totalResults"><!--${total}--></code>`;
  const listOf = (body: string, head = '') =>
    readJobList(sitePage('jobs', 'jobs/search', body, head), true, 'Lighthouse keeper')?.jobs;
  const asked = (words: string) =>
    `<meta property="lnkd:url" content="${site}/jobs/search?location=Oslo&amp;keywords=${words}">`;
  const titled = (words: string) => `<title>${words}</title>`;

  for (const [head, isSame] of [
    [asked('lighthouse+keepers'), true],
    [titled('0 Lighthouse Keepers jobs in Oslo'), true],
    [titled('Jobs in Oslo | LinkedIn'), true],
    [titled('12 jobs'), true],
    [asked('rust+developer'), false],
    [titled('0 SDE-2 UI jobs in Gurugram'), false],
    [titled('1,000+ Rust Developer jobs'), false],
  ] as const) {
    test(`with ${head} are ${isSame ? 'an answer' : 'refused'}`, () => {
      if (isSame) assert.deepEqual(listOf(count(0), head), []);
      else assert.throws(() => listOf(count(0), head), changed);
    });
  }

  const none = (words: string) =>
    `<section class="no-results"><h1>No match for <strong class="no-results__main-title-keywords">${words}</strong></h1></section>`;
  const suggested =
    '<ul class="jobs-search__results-list"><li><div data-entity-urn="urn:li:jobPosting:1"><h3 class="base-search-card__title">T</h3></div></li></ul>';
  const ownNone = none('lighthouse keeper jobs in Oslo');
  for (const [name, body, size, head] of [
    ['a count of 0', count(0), 0],
    ['words for the search', ownNone, 0],
    ['words for the search beside a suggestion', ownNone + suggested, 0],
    ['a count of 0 beside a suggestion', suggested + count(0), 0],
    ['a job', suggested, 1],
    ['nothing', '', null],
    ['a count of 12', count(12), null],
    ['a mark in its head', '', null, '<meta name="linkedin:pageTag" content="emptyResult=true">'],
    ['words for another search', none('lamps'), null],
  ] as const) {
    test(`of a page with ${name} are ${size ?? 'changed'}`, () => {
      if (size === null) assert.throws(() => listOf(body, head), changed);
      else assert.equal(listOf(body, head)?.length, size);
    });
  }

  test('are read from a fragment without a card, too', () => {
    const body = `<div><h2 class="topcard__title">T</h2><span class="topcard__flavor">Co</span></div>${posting}`;
    assert.deepEqual(readJobPage(pageOf(url, body), id).job.company, { name: 'Co', url: null });
  });

  const other = `${site}/jobs/view/t-4300000002`;
  for (const [name, answer] of [
    ['has another number', pageOf(url, title + numbered('4300000002'))],
    ['has no number', pageOf(url, title)],
    ['has two titles', pageOf(url, `${title}${title}${posting}`)],
    [
      'links to another',
      pageOf(url, `<a class="topcard__link" href="${other}"><h2 class="topcard__title">T</h2></a>${posting}`),
    ],
    ['is at another address', pageOf(`${other}?trk=expired_jd_redirect`, title + posting)],
    [
      'names another address',
      sitePage('job', `jobs/view/${id}`, title, `<link rel="canonical" href="${other}">`),
    ],
    ['is a page of jobs', sitePage('jobs', 'jobs/search', title)],
  ] as const) {
    test(`are not read from a page that ${name}`, () =>
      assert.throws(() => readJobPage(answer, id), changed));
  }

  test('have cards with any root element and a number each', () => {
    const card = (tag: string, urn: string) =>
      `<li><${tag} class="base-search-card" data-entity-urn="${urn}"><h3 class="base-search-card__title">T</h3></${tag}></li>`;
    const read = (items: string) => readJobList(pageOf(url, items), true, 'x')?.jobs.map(({ id }) => id);
    const cards = ['div', 'a', 'article'].map((tag, at) => card(tag, `urn:li:jobPosting:${at}`));
    assert.deepEqual(read(cards.join('')), ['0', '1', '2']);
    for (const items of [card('div', 'urn:li:jobPosting:'), '<li>nothing</li>'])
      assert.throws(() => read(items), changed);
  });
});
