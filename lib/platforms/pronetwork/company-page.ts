import { firstCount, intOrNull, urlOrNull } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { resolveReferences } from '../../read/html-text.js';
import {
  all,
  attr,
  type Element,
  firstElement,
  line,
  ownTexts,
  type Tree,
  treeOf,
  verbatim,
} from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { wordedCount } from '../../read/worded-count.js';
import type { Page } from '../../web/page-source.js';
import { aboutUs, companySections, companyTop, knownRows } from './company-selectors.js';
import { employees as employeeWords, followers as followerWords } from './counted-words.js';
import { languageOf } from './dates.js';
import { isA, many, organisations, subjectIn, type Thing, textIn, thingsOf } from './json-ld.js';
import { proseIn } from './json-ld-prose.js';
import { linkOrNull } from './links.js';
import type { PronetworkCompany } from './objects.js';
import { accept, pageKinds, refuseCutOff, refuseWithoutElement } from './outcome.js';
import type { PageHead } from './page-head.js';
import { refuseTwoSubjects, requireIdentity } from './page-head.js';
import { parseSpecialties } from './specialties.js';
import type { PageName } from './urls.js';

/** Returns the organisations that a page describes, without authors of posts, about whom it says nothing. */
const described = (things: readonly Thing[]) =>
  things.filter(
    (thing) =>
      organisations.some((type) => isA(thing, type)) &&
      (thing.numberOfEmployees !== undefined || thing.description !== undefined),
  );

/** Returns followers: exact in the line below the name, after the place; else from the start of the page's summary. */
function followers(subline: Element | null, head: PageHead, name: string): number | null {
  const language = languageOf(head.language);
  const start = `${name} | `;
  const summary = resolveReferences(head.description ?? '');
  const texts = [
    ownTexts(subline).at(-1),
    summary.startsWith(start) ? summary.slice(start.length) : undefined,
  ];
  return firstCount(...texts.map((text) => wordedCount(text ?? null, language, followerWords)));
}

function website(about: Tree | null, organisation: Thing | null): string | null {
  const link = firstElement(about, aboutUs.website);
  const sameAs = many(at(organisation, 'sameAs')).find((url) => typeof url === 'string');
  return urlOrNull(line(link)) ?? linkOrNull(attr(link, 'href')) ?? urlOrNull(sameAs);
}

function headquarters(organisation: Thing | null): string | null {
  const parts = [
    textIn(organisation, 'address', 'addressLocality'),
    textIn(organisation, 'address', 'addressRegion'),
  ];
  const names = parts.filter((part) => part !== null);
  return names.length === 0 ? null : names.join(', ');
}

function foundedYear(text: string | null): number | null {
  return intOrNull(/(?<!\d)\d{4}(?!\d)/.exec(text ?? '')?.[0]);
}

/**
 * Returns specialties; empty if all rows of “about us” are recognised and none lists them; null if they may be hidden.
 */
function specialties(about: Tree | null, language: string): string[] | null {
  const row = line(firstElement(about, aboutUs.specialties));
  if (about === null || row !== null) return row === null ? null : parseSpecialties(row, language);
  const rows = all(about, aboutUs.rows);
  return rows.length > 0 && rows.every((one) => knownRows.has(attr(one, 'data-test-id') ?? '')) ? [] : null;
}

/**
 * Reads a company from its page: the card at the top and the “about us” rows (2024-10, 2025-07), each of which may be
 * missing. The organisation's JSON-LD has the number of members employed there.
 */
export function readCompanyPage(page: Page, requested: PageName): PronetworkCompany {
  const acceptedPage = accept(page, pageKinds.company);
  const { html, head } = acceptedPage;
  const parts = cut(html, companySections);
  const top = parts.top[0] === undefined ? null : treeOf(parts.top[0]);
  const about = parts.about[0] === undefined ? null : treeOf(parts.about[0]);
  const title = firstElement(top, companyTop.name);
  if (title === null) refuseWithoutElement(page, acceptedPage, 'the name of a company');
  refuseCutOff(html);
  refuseTwoSubjects(parts.top);
  const things = thingsOf(parts.ld);
  const identity = requireIdentity(page, head, requested, things);
  const name = requireValue(line(title), 'the name of a company');
  const organisation = subjectIn(described(things), identity, name);
  const row = (selector: string) => line(firstElement(about, selector));
  return {
    name,
    tagline: line(firstElement(top, companyTop.tagline)) ?? textIn(organisation, 'slogan'),
    description: verbatim(firstElement(about, aboutUs.description)) ?? proseIn(organisation, 'description'),
    website: website(about, organisation),
    industry: row(aboutUs.industry) ?? line(firstElement(top, companyTop.industry)),
    company_size: row(aboutUs.size),
    employees_on_pronetwork: firstCount(
      at(organisation, 'numberOfEmployees', 'value'),
      wordedCount(line(firstElement(top, companyTop.employees)), languageOf(head.language), employeeWords),
    ),
    headquarters: row(aboutUs.headquarters) ?? headquarters(organisation),
    company_type: row(aboutUs.type),
    founded: foundedYear(row(aboutUs.founded)),
    specialties: specialties(about, languageOf(head.language)),
    follower_count: followers(firstElement(top, companyTop.subline), head, name),
  };
}
