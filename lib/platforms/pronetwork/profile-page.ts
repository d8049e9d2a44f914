import { refusal } from '../../errors/outcomes.js';
import { firstCount } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { all, attr, firstElement, prose, type Tree, treeOf } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { type CountedWords, namesCounted, wordedCount } from '../../read/worded-count.js';
import type { Page } from '../../web/page-source.js';
import { connections as connectionWords, followers as followerWords } from './counted-words.js';
import { languageOf } from './dates.js';
import { completeSchools, educationOf, readEducation } from './education.js';
import { completePositions, experienceOf, readBlurred, readExperience } from './experience.js';
import { headFacts } from './head-facts.js';
import { interactions, isA, many, subjectIn, type Thing, textIn, thingsOf } from './json-ld.js';
import { proseIn } from './json-ld-prose.js';
import { siteLinkOrNull } from './links.js';
import { visibleLine, visibleOrNull } from './mask-check.js';
import type { PronetworkProfile } from './objects.js';
import { accept, pageKinds, refuseCutOff, refuseMissingProfile } from './outcome.js';
import { refuseTwoSubjects, requireIdentity } from './page-head.js';
import { aboutText, profileSections, skillItems, topCard, traces } from './profile-selectors.js';
import type { PageName } from './urls.js';

function subheader(top: Tree, language: string) {
  const direct = all(top, topCard.place).map(visibleLine);
  const listed = all(top, topCard.listed).map(visibleLine);
  const texts = [...direct, ...listed].filter((text) => text !== null);
  const countIn = (words: CountedWords) => texts.find((text) => namesCounted(text, words)) ?? null;
  const [followers, connections] = [countIn(followerWords), countIn(connectionWords)];
  // A count in unknown words also begins with its number.
  const places = texts.filter((text) => text !== followers && text !== connections && !/^\p{Nd}/u.test(text));
  return {
    place: places[0] ?? null,
    followers: wordedCount(followers, language, followerWords),
    connections: wordedCount(connections, language, connectionWords),
  };
}

function currentCompany(top: Tree, person: Thing | null): PronetworkProfile['current_company'] {
  const link = firstElement(top, topCard.company);
  const name = visibleLine(firstElement(link, topCard.companyName)) ?? visibleLine(link);
  if (name !== null) return { name, url: siteLinkOrNull(attr(link, 'href')) };
  const employer = many(at(person, 'worksFor'))[0];
  const employerName = visibleOrNull(textIn(employer, 'name'));
  return employerName === null ? null : { name: employerName, url: siteLinkOrNull(textIn(employer, 'url')) };
}

function skillsOf(sections: readonly Tree[]): string[] | null {
  const items = sections.flatMap((section) => all(section, skillItems.items));
  const names = items.filter((item) => firstElement(item, skillItems.control) === null).map(visibleLine);
  const shownNames = names.filter((name) => name !== null);
  return shownNames.length === 0 ? null : shownNames;
}

/**
 * Reads the rows of a list that may be spread over several sections. Null without one, or if a row cannot be identified
 * as one.
 */
function rowsOf<Row>(sections: readonly Tree[], readRow: (section: Tree) => Row[] | null): Row[] | null {
  const rows = sections.map(readRow);
  return rows.length === 0 || rows.includes(null) ? null : rows.flatMap((some) => some ?? []);
}

/**
 * Returns the rows of the page, else those in its JSON-LD, else the one in its description. A page with traces of a
 * list but no readable rows has changed.
 */
function shownRows<Row>(rows: Row[] | null, described: Row[], headRows: Row[], isTraced: boolean): Row[] {
  if (rows !== null) return rows;
  if (described.length > 0) return described;
  if (isTraced) {
    throw refusal('unknown_layout', 'The rows of a list on the page have changed.');
  }
  return headRows;
}

/**
 * Reads a profile from its page: the page's sections (2024-04 to 2026-07). The person's JSON-LD has exact followers,
 * dates in unknown languages, and what the page masks or lacks; its description names an employer and a school.
 */
export function readProfilePage(page: Page, requested: PageName): PronetworkProfile {
  const acceptedPage = accept(page, pageKinds.profile);
  const { html, head } = acceptedPage;
  const parts = cut(html, profileSections);
  const trees = (sections: readonly string[]) => sections.map(treeOf);
  const [top = null] = trees(parts.top.slice(0, 1));
  const title = firstElement(top, topCard.name);
  const missing = parts.missing.length + parts.missingSection.length > 0;
  refuseMissingProfile(page, acceptedPage, requested, { missing, top: title !== null });
  refuseCutOff(html);
  refuseTwoSubjects(parts.top);
  const things = thingsOf(parts.ld);
  const persons = things.filter((thing) => isA(thing, 'Person'));
  const name = visibleLine(title);
  const person = subjectIn(persons, requireIdentity(page, head, requested, things), name);
  const language = languageOf(head.language);
  const [about = null] = trees(parts.about.slice(0, 1));
  const { place, followers, connections } = subheader(top as Tree, language);
  const positions =
    rowsOf(trees(parts.experience), (section) => readExperience(section, language)) ??
    rowsOf(trees(parts.blurred), readBlurred);
  const schools = rowsOf(trees(parts.education), (section) => readEducation(section, language));
  const facts = headFacts(head.description);
  return {
    full_name: requireValue(name, 'the name of a person'),
    headline: visibleLine(firstElement(top, topCard.headline)),
    about:
      visibleOrNull(prose(firstElement(about, aboutText))) ?? visibleOrNull(proseIn(person, 'description')),
    location: place ?? visibleOrNull(textIn(person, 'address', 'addressLocality')),
    follower_count: firstCount(interactions(person, 'Follow'), followers),
    connection_count: connections,
    current_company: currentCompany(top as Tree, person),
    experience: shownRows(
      positions && (person === null ? positions : completePositions(positions, person)),
      person === null ? [] : experienceOf(person),
      facts.experience,
      traces.experience.test(html),
    ),
    education: shownRows(
      schools && (person === null ? schools : completeSchools(schools, person)),
      person === null ? [] : educationOf(person),
      facts.education,
      traces.education.test(html),
    ),
    skills: skillsOf(trees(parts.skills)),
  };
}
