import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { PronetworkProfile } from '../../../lib/platforms/pronetwork/objects.js';
import { profile } from '../../../lib/platforms/pronetwork/profile.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered, type Knockouts, knockOut } from '../../support/knockout.js';
import { changedLd, withoutElements, withoutLd } from './markup.js';

/** The page with text taken out of the elements that begin so. */
const emptied = (html: string, tag: RegExp) =>
  html.replace(new RegExp(`(${tag.source}[^>]*>)[^<]*`, 'g'), '$1');

const rich: Knockouts = {
  full_name: {
    mandatory: true,
    remove: (html) => withoutElements(html, /<h1 class="top-card-layout__title font/),
  },
  headline: (html) => withoutElements(html, /<h2 class="top-card-layout__headline/),
  about: (html) => withoutLd(withoutElements(html, /<section[^>]*data-section="summary"/), 'description'),
  location: (html) => withoutLd(html.replaceAll('<span>Bergen, Vestland, Norway</span>', ''), 'address'),
  follower_count: (html) => withoutLd(html.replaceAll(/[\d.]+K followers/g, ''), 'interactionStatistic'),
  connection_count: (html) => html.replaceAll('500+ connections', ''),
  current_company: (html) =>
    changedLd(
      html.replaceAll('data-tracking-control-name="public_profile_topcard-current-company"', ''),
      (thing) => {
        thing.worksFor = [];
      },
    ),
  experience: {
    becomes: [],
    remove: (page) => {
      const html = page.replace('Experience: Ember &amp; Clay · ', '');
      const start = html.indexOf('data-section="experience"');
      const end = html.indexOf('data-section="educationsDetails">', start);
      const without = `${html.slice(0, start)}>${html.slice(end).replace('educationsDetails', 'x"><section data-section="educationsDetails')}`;
      return changedLd(without.replace('</main>', '</section></main>'), (thing) => {
        const [company] = Array.isArray(thing.worksFor) ? thing.worksFor : [];
        thing.worksFor = company === undefined ? [] : [{ ...company, name: '*** ***' }];
        thing.alumniOf = [];
      });
    },
  },
  education: {
    becomes: [],
    remove: (html) =>
      changedLd(withoutElements(html, /<section[^>]*data-section="educationsDetails"/), (thing) => {
        if (Array.isArray(thing.alumniOf))
          thing.alumniOf = thing.alumniOf.filter((one) => one['@type'] === 'Organization');
      }),
  },
  skills: (html) => withoutElements(html, /<section[^>]*data-section="skills"/),
  'current_company.url': (html) =>
    html.replaceAll(/ href="[^"]*public_profile_topcard-current-company"/g, ''),
};

await knockOut(profile as Endpoint, 'rich: single and grouped positions, exact followers', rich);

/** Inner fields, one of the list's items at a time: the others keep them. */
const inner: readonly [field: string, remove: (html: string) => string][] = [
  ['title', (html) => emptied(html, /<span class="experience-item__title"/)],
  [
    'company',
    (html) =>
      emptied(html, /<(?:span class="experience-item__subtitle|h4 class="experience-group-header__company)"/),
  ],
  ['company_url', (html) => html.replaceAll(/ href="[^"]*public_profile_experience[^"]*"/g, '')],
  ['location', (html) => html.replaceAll(/<p class="experience-item__meta-item">\s*[A-Z][^<]*<\/p>/g, '')],
  ['start_date', (html) => html.replaceAll(/<time>[^<]*<\/time>/g, '<time>?</time>')],
  ['is_current', (html) => html.replaceAll(/<span class="date-range[\s\S]*?<\/time>[\s\S]*?<\/p>/g, '</p>')],
  ['description', (html) => withoutElements(html, /<p class="show-more-less-text__text/)],
];

const endpoint = profile as Endpoint;
const [one] = await casesOf(endpoint);
for (const [field, remove] of inner) {
  test(`pronetwork/profile: positions without ${field}`, async () => {
    assert.ok(one);
    const source = () => routeSource(sampleFiles(endpoint.path), one.pages);
    // JSON-LD is out of it here: it would put dates back.
    const plain = (html: string) =>
      changedLd(html, (thing) => Object.assign(thing, { worksFor: [], alumniOf: [] }));
    const [full] = (await pagesOf(endpoint, one, altered(source(), plain))) as [PronetworkProfile];
    const changed = altered(source(), (html) => remove(plain(html)));
    const [without] = (await pagesOf(endpoint, one, changed)) as [PronetworkProfile];
    const dates = { start_date: null, end_date: null };
    const empty = { [field]: null, ...(['start_date', 'is_current'].includes(field) ? dates : {}) };
    assert.ok(full.experience.some((position) => position[field as keyof typeof position] !== null));
    assert.deepEqual(
      without.experience,
      full.experience.map((position) => ({ ...position, ...empty })),
    );
  });
}
