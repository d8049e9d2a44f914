import { all, attr, type Element, line, one, ownTexts, prose, type Tree } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { statedDate, wordedDate } from './dates.js';
import { isA, many, type Thing, textIn } from './json-ld.js';
import { siteLinkOrNull } from './links.js';
import { shown, shownOrNull } from './mask-check.js';
import type { PronetworkExperience } from './objects.js';
import { blurredItems, experienceItems as selectors } from './profile-selectors.js';

interface Dates {
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly is_current: boolean | null;
}

/** Two times, or one and a word for the present; what stands in a span of its own is the duration. */
function readDates(item: Tree, language: string): Dates {
  const range = one(item, selectors.dates);
  const times = range === null ? [] : all(range, selectors.time);
  const [start = null, end = null] = times.map((time) => wordedDate(line(time), language));
  if (times.length === 0) return { start_date: null, end_date: null, is_current: null };
  if (times.length > 1) return { start_date: start, end_date: end, is_current: false };
  const isCurrent = ownTexts(range).some((text) => /\p{L}/u.test(text));
  return { start_date: start, end_date: null, is_current: isCurrent ? true : null };
}

/** First line below the dates that is neither dates nor description. */
function placeOf(item: Tree): string | null {
  const places = all(item, selectors.meta).filter(
    (meta) =>
      one(meta, selectors.dates) === null && one(meta, selectors.clamped) === null && meta.name === 'p',
  );
  return places.map(shown).find((text) => text !== null) ?? null;
}

function descriptionOf(item: Tree): string | null {
  const box = one(item, selectors.description);
  return shownOrNull(prose(one(box, selectors.whole) ?? one(box, selectors.clamped)));
}

interface Employer {
  readonly company: string | null;
  readonly url: string | null;
}

function position(item: Element, { company, url }: Employer, language: string): PronetworkExperience {
  return {
    title: shown(one(item, selectors.title)),
    company,
    company_url: url,
    location: placeOf(item),
    ...readDates(item, language),
    description: descriptionOf(item),
  };
}

function linkOf(item: Element, selector: string): string | null {
  return siteLinkOrNull(attr(one(item, selector), 'href'));
}

/** The experience section: single positions, and groups of positions in one company. */
export function readExperience(section: Tree, language: string): PronetworkExperience[] {
  return all(section, selectors.items).flatMap((item) => {
    const positions = all(item, selectors.positions);
    if (positions.length === 0) {
      const company = shown(one(item, selectors.company));
      return [position(item, { company, url: linkOf(item, selectors.link) }, language)];
    }
    const employer = {
      company: shown(one(item, selectors.groupCompany)),
      url: linkOf(item, selectors.groupLink) ?? linkOf(item, selectors.link),
    };
    return positions.map((each) => position(each, employer, language));
  });
}

const nothing = {
  title: null,
  location: null,
  start_date: null,
  end_date: null,
  is_current: null,
  description: null,
};

/** The list that shows companies and hides the rest. */
export function readBlurred(list: Tree): PronetworkExperience[] {
  return all(list, blurredItems.company).flatMap((heading) => {
    const company = shown(heading);
    return company === null ? [] : [{ ...nothing, company, company_url: null }];
  });
}

/** Employers of a person's JSON-LD: current ones in `worksFor`, past ones among the `alumniOf`. */
const employersOf = (person: Thing) => ({
  current: many(at(person, 'worksFor')),
  past: many(at(person, 'alumniOf')).filter((one) => isA(one, 'Organization')),
});

/**
 * Positions that JSON-LD tells where the page has no list of them. The titles are a list beside that of the
 * current employers, in its order; past positions have none.
 */
export function experienceOf(person: Thing): PronetworkExperience[] {
  const { current, past } = employersOf(person);
  const titles = many(at(person, 'jobTitle'));
  const paired = titles.length === current.length;
  const made = (employer: unknown, isCurrent: boolean, title: unknown): PronetworkExperience => ({
    title: typeof title === 'string' ? shownOrNull(textIn({ title }, 'title')) : null,
    company: shownOrNull(textIn(employer, 'name')),
    company_url: siteLinkOrNull(textIn(employer, 'url')),
    location: shownOrNull(textIn(employer, 'location')),
    start_date: statedDate(at(employer, 'member', 'startDate')),
    end_date: statedDate(at(employer, 'member', 'endDate')),
    is_current: isCurrent,
    description: shownOrNull(textIn(employer, 'member', 'description')),
  });
  return [
    ...current.map((employer, index) => made(employer, true, paired ? titles[index] : null)),
    ...past.map((employer) => made(employer, false, null)),
  ].filter((one) => one.company !== null);
}

/** Positions with dates made as precise as JSON-LD tells them, where one employer of that name is in both. */
export function refined(positions: readonly PronetworkExperience[], person: Thing): PronetworkExperience[] {
  const { current, past } = employersOf(person);
  const employers = [...current, ...past];
  return positions.map((one) => {
    const alone = positions.filter((other) => other.company === one.company).length === 1;
    const same = employers.filter((employer) => textIn(employer, 'name') === one.company);
    if (!alone || same.length !== 1) return one;
    const sharper = (shown: string | null, key: string) => {
      const stated = statedDate(at(same[0], 'member', key));
      return stated !== null && (shown === null || stated.startsWith(`${shown}-`)) ? stated : shown;
    };
    return {
      ...one,
      start_date: sharper(one.start_date, 'startDate'),
      end_date: one.is_current === true ? null : sharper(one.end_date, 'endDate'),
    };
  });
}
