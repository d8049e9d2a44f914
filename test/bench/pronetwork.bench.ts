import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Cheerio, CheerioAPI } from 'cheerio';
import { load } from 'cheerio/slim';
import type { Element } from 'domhandler';
import { readCompanyPage } from '../../lib/platforms/pronetwork/company-page.js';
import { readCompanyPosts } from '../../lib/platforms/pronetwork/company-posts.js';
import { aboutUs, companySections, companyTop } from '../../lib/platforms/pronetwork/company-selectors.js';
import { readJobList } from '../../lib/platforms/pronetwork/job-list.js';
import { jobCard } from '../../lib/platforms/pronetwork/job-selectors.js';
import { card, feedSections, social, tab } from '../../lib/platforms/pronetwork/post-selectors.js';
import { readProfilePage } from '../../lib/platforms/pronetwork/profile-page.js';
import { readProfilePosts } from '../../lib/platforms/pronetwork/profile-posts.js';
import {
  aboutText,
  educationItems,
  experienceItems,
  profileSections,
  skillItems,
  topCard,
} from '../../lib/platforms/pronetwork/profile-selectors.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { page } from '../../lib/web/page.js';
import { compare, report } from './compare.js';

/**
 * Readers of pronetwork against cheerio over htmlparser2. That makes a tree of the whole page and queries it by the
 * same selectors. Pages have the size and the filling of real ones: sign-in windows, menus, lists of other people.
 */
type Selectors = Readonly<Record<string, string>>;

/** Asks for every selector inside every match of `scope`: text and attributes, as a reader does. */
function ask($: CheerioAPI, scope: Cheerio<Element>, selectors: Selectors): number {
  let length = 0;
  scope.each((_, element) => {
    for (const selector of Object.values(selectors)) {
      const found = $(element).find(selector);
      length += found.first().text().trim().length + (found.attr('href')?.length ?? 0);
    }
  });
  return length;
}

const theirs = {
  profile(html: string): number {
    const $ = load(html);
    $(profileSections.drop.join(', ')).remove();
    const keep = profileSections.keep;
    return (
      ask($, $(keep.top), topCard) +
      $(keep.about).find(aboutText).text().length +
      ask($, $(keep.experience).find(experienceItems.items), experienceItems) +
      ask($, $(keep.education).find(educationItems.items), educationItems) +
      ask($, $(keep.skills).find(skillItems.items), skillItems)
    );
  },
  tabs(html: string): number {
    const $ = load(html);
    $(profileSections.drop.join(', ')).remove();
    const items = $('div.tab__panel.posts').find(tab.items);
    return ask($, items, tab) + ask($, items, social);
  },
  company(html: string): number {
    const $ = load(html);
    $(companySections.drop.join(', ')).remove();
    return ask($, $(companySections.keep.top), companyTop) + ask($, $(companySections.keep.about), aboutUs);
  },
  feed(html: string): number {
    const $ = load(html);
    const articles = $(feedSections.keep.updates).find(card.article);
    return ask($, articles, card) + ask($, articles, social);
  },
  jobs(html: string): number {
    const $ = load(html);
    return ask($, $(jobCard.root), jobCard);
  },
};

const fixture = (name: string) =>
  readFileSync(path.join(packageRoot(), 'fixtures', 'pronetwork', name), 'utf8');

/** A sample filled up to the size of a real page: what is repeated there is repeated here. */
function filled(html: string, bytes: number): string {
  const form =
    '<div class="text-input flex"><input class="text-color-text" autocomplete="username" type="text"></div>';
  const icon =
    '<icon class="item-icon" data-delayed-url="https://static.licdn.com/aero-v1/sc/h/invented"></icon>';
  const share = `<li role="presentation"><button class="social-share__item" role="menuitem">${icon}<span class="social-share__item-text">Copy</span></button></li>`;
  const other = `<li><div class="base-card base-aside-card"><a class="base-card__full-link" href="https://www.linkedin.com/in/somebody"><span class="sr-only">Somebody</span></a><h3 class="base-aside-card__title">Somebody</h3><p class="base-aside-card__subtitle">Something</p></div></li>`;
  const grown = html
    .replaceAll('</form>', `${form.repeat(60)}</form>`)
    .replaceAll(
      '<ul class="collapsible-dropdown__list">',
      `<ul class="collapsible-dropdown__list">${share.repeat(22)}`,
    )
    .replaceAll('<template id="selected-reaction">', `<template id="selected-reaction">${icon.repeat(40)}`);
  const missing = Math.max(0, Math.floor((bytes - grown.length) / other.length));
  return grown.replace('</main>', `<ul class="aside-profiles-list">${other.repeat(missing)}</ul></main>`);
}

const headers = { 'content-type': 'text/html; charset=utf-8' };
const site = 'https://www.linkedin.com';

type Page = ReturnType<typeof page>;

const member = (vanity: string) => ({ kind: 'in', vanity }) as const;
const organisation = (vanity: string) => ({ kind: 'company', vanity }) as const;
const jobs = {
  url: () => '/jobs-guest/jobs/api/seeMoreJobPostings/search',
  ours: (one: Page) => readJobList(one, true, ''),
  theirs: theirs.jobs,
};

/** What is read of a page about somebody: by this program, and by cheerio. */
const readings = {
  profile: {
    url: (of: string) => `/in/${of}`,
    ours: (one: Page, of: string) => readProfilePage(one, member(of)),
    theirs: theirs.profile,
  },
  'posts in tabs': {
    url: (of: string) => `/in/${of}`,
    ours: (one: Page, of: string) => readProfilePosts(one, member(of)),
    theirs: theirs.tabs,
  },
  company: {
    url: (of: string) => `/company/${of}`,
    ours: (one: Page, of: string) => readCompanyPage(one, organisation(of)),
    theirs: theirs.company,
  },
  'posts of a company': {
    url: (of: string) => `/company/${of}`,
    ours: (one: Page, of: string) => readCompanyPosts(one, organisation(of)),
    theirs: theirs.feed,
  },
  'jobs in the page form': jobs,
  'jobs in a fragment': jobs,
} as const;

async function measure(what: keyof typeof readings, of: string, bytes: Buffer): Promise<void> {
  const { url, ours, theirs } = readings[what];
  const measured = await compare(
    () => ours(page(site + url(of), 200, headers, bytes), of),
    () => theirs(bytes.toString('utf8')),
  );
  report(
    `${what}, ${Math.round(bytes.length / 1000)} KB: ${Math.round(1000 / measured.ours)} pages a second a core`,
    measured,
    { atMost: 0.5 },
  );
}

const sample = (name: string, bytes: number) => Buffer.from(filled(fixture(name), bytes));
await measure('profile', 'ilse-brandvik', sample('profile/rich.html', 430_000));
await measure('posts in tabs', 'ilse-brandvik', sample('posts/tabs.html', 430_000));
await measure('company', 'ember-and-clay', sample('company/rich.html', 360_000));
await measure('posts of a company', 'ember-and-clay', sample('posts/company.html', 360_000));
await measure('jobs in the page form', '', sample('jobs/page-form.html', 138_000));
await measure('jobs in a fragment', '', sample('jobs/list-0.html', 0));

const captures = path.join(packageRoot(), '..', 'shared', 'captures', 'pronetwork');
if (existsSync(captures)) {
  const capture = (name: string) => readFileSync(path.join(captures, `${name}-en.html`));
  console.log('real pages:');
  const gates = capture('profile-williamhgates-2026-07');
  await measure('profile', 'williamhgates', gates);
  await measure('posts in tabs', 'williamhgates', gates);
  const audiense = capture('company-audiense-2024-10');
  await measure('company', 'audiense', audiense);
  await measure('jobs in the page form', '', capture('jobs-searchpage-rust-sfbay-2026-01'));
  await measure('posts of a company', 'audiense', audiense);
}
