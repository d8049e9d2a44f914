import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
import { heading, ld, site, sitePage } from './markup.js';

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
