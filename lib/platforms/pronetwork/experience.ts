import {
  all,
  attr,
  type Element,
  firstElement,
  line,
  ownTexts,
  prose,
  type Tree,
} from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { statedDate, wordedDate } from './dates.js';
import { isA, many, type Thing, textIn } from './json-ld.js';
import { proseIn } from './json-ld-prose.js';
import { siteLinkOrNull } from './links.js';
import { visibleLine, visibleOrNull } from './mask-check.js';
import type { PronetworkExperience } from './objects.js';
import { blurredItems, experienceItems as selectors } from './profile-selectors.js';

interface Dates {
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly is_current: boolean | null;
}

/** Reads two times, or one and a word for the present. The duration is in its own span. */
function readDates(item: Tree, language: string): Dates {
  const range = firstElement(item, selectors.dates);
  const times = range === null ? [] : all(range, selectors.time);
  const [start = null, end = null] = times.map((time) => wordedDate(line(time), language));
  if (times.length === 0) return { start_date: null, end_date: null, is_current: null };
  if (times.length > 1) return { start_date: start, end_date: end, is_current: false };
  // A duration contains digits, in case it ever leaves its span.
  const isCurrent = ownTexts(range).some((text) => /\p{L}/u.test(text) && !/\p{Nd}/u.test(text));
  return { start_date: start, end_date: null, is_current: isCurrent ? true : null };
}

/** Returns the first line below the dates that is neither dates nor description. */
function locationOf(item: Tree): Element | null {
  const places = all(item, selectors.meta).filter(
    (meta) =>
      firstElement(meta, selectors.dates) === null &&
      firstElement(meta, selectors.clamped) === null &&
      meta.name === 'p',
  );
  return places.find((meta) => visibleLine(meta) !== null) ?? null;
}

/** True for a line of dates: times, a month with its year, or a range from a year. */
function holdsDates(meta: Element | null, language: string): boolean {
  const text = line(meta) ?? '';
  return (
    firstElement(meta, selectors.time) !== null ||
    /(?<!\d)(?:19|20)\d{2}.{0,12}\s[-–—~]\s/.test(text) ||
    (/^\D*\d{4}\D*$/.test(text) && wordedDate(text, language)?.includes('-') === true)
  );
}

function descriptionOf(item: Tree): string | null {
  const box = firstElement(item, selectors.description);
  return visibleOrNull(prose(firstElement(box, selectors.whole) ?? firstElement(box, selectors.clamped)));
}

interface Employer {
  readonly company: Element | null;
  readonly url: string | null;
}

/**
 * Reads a row of the list; null unless it is provably a single position: it has the title or the company, even if
 * masked, one title and one range of dates, and its location is neither.
 */
function position(item: Element, employer: Employer, language: string): PronetworkExperience | null {
  const titles = all(item, selectors.title);
  const [title = null] = titles;
  const place = locationOf(item);
  const isNamed = line(title) !== null || line(employer.company) !== null;
  const isOne = titles.length < 2 && all(item, selectors.dates).length < 2;
  if (!isNamed || !isOne || holdsDates(place, language)) return null;
  return {
    title: visibleLine(title),
    company: visibleLine(employer.company),
    company_url: employer.url,
    location: visibleLine(place),
    ...readDates(item, language),
    description: descriptionOf(item),
  };
}

function linkOf(item: Element, selector: string): string | null {
  return siteLinkOrNull(attr(firstElement(item, selector), 'href'));
}

/**
 * Reads the experience section: single positions, and groups of positions at one company. Null if it cannot be read
 * completely: without rows, with a row that is not a position, or with titles outside of them.
 */
export function readExperience(section: Tree, language: string): PronetworkExperience[] | null {
  const rows = all(section, selectors.items).flatMap((item) => {
    const positions = all(item, selectors.positions);
    const url = linkOf(item, selectors.groupLink) ?? linkOf(item, selectors.link);
    const company = firstElement(item, selectors.groupCompany);
    return (positions.length === 0 ? [item] : positions).map((each) =>
      position(each, { company: company ?? firstElement(each, selectors.company), url }, language),
    );
  });
  const isComplete = rows.length > 0 && all(section, selectors.title).length <= rows.length;
  const readable = rows.filter((row) => row !== null);
  return isComplete && readable.length === rows.length ? readable : null;
}

const blankExperience = {
  title: null,
  location: null,
  start_date: null,
  end_date: null,
  is_current: null,
  description: null,
};

/** Reads the list that shows companies and hides the rest; null if it shows none. */
export function readBlurred(list: Tree): PronetworkExperience[] | null {
  const companies = all(list, blurredItems.company).map(visibleLine);
  const rows = companies.flatMap((company) =>
    company === null ? [] : [{ ...blankExperience, company, company_url: null }],
  );
  return rows.length === 0 ? null : rows;
}

/** A person's employers in JSON-LD: current ones in `worksFor`, past ones in `alumniOf`. */
const employersOf = (person: Thing) => ({
  current: many(at(person, 'worksFor')),
  past: many(at(person, 'alumniOf')).filter((one) => isA(one, 'Organization')),
});

/**
 * Reads positions from JSON-LD, for a page without a list of them. Titles are a separate list in the order of the
 * current employers; past positions have none.
 */
export function experienceOf(person: Thing): PronetworkExperience[] {
  const { current, past } = employersOf(person);
  const titles = many(at(person, 'jobTitle'));
  const paired = titles.length === current.length;
  const toExperience = (employer: unknown, isPast: boolean, title: unknown): PronetworkExperience => {
    const start = statedDate(at(employer, 'member', 'startDate'));
    const end = statedDate(at(employer, 'member', 'endDate'));
    return {
      title: typeof title === 'string' ? visibleOrNull(textIn({ title }, 'title')) : null,
      company: visibleOrNull(textIn(employer, 'name')),
      company_url: siteLinkOrNull(textIn(employer, 'url')),
      location: visibleOrNull(textIn(employer, 'location')),
      start_date: start,
      end_date: end,
      // A masked profile lists every employer under `worksFor`, without dates (2026-01).
      is_current: isPast || end !== null ? false : start === null ? null : true,
      description: visibleOrNull(proseIn(employer, 'member', 'description')),
    };
  };
  return [
    ...current.map((employer, index) => toExperience(employer, false, paired ? titles[index] : null)),
    ...past.map((employer) => toExperience(employer, true, null)),
  ].filter((one) => one.company !== null);
}

/** Returns an employer's title if the list of titles matches the list of current employers. */
function titleOf(person: Thing, employer: unknown): string | null {
  const { current } = employersOf(person);
  const titles = many(at(person, 'jobTitle'));
  const title = titles.length === current.length ? titles[current.indexOf(employer)] : undefined;
  return visibleOrNull(textIn({ title }, 'title'));
}

/**
 * Completes positions from the JSON-LD if one employer of that name is in both. The JSON-LD has values that the page
 * masks (address, location and start of the current position, 2026-01), and more precise dates. A value masked there,
 * too, stays null.
 */
export function completePositions(
  positions: readonly PronetworkExperience[],
  person: Thing,
): PronetworkExperience[] {
  const { current, past } = employersOf(person);
  const employers = [...current, ...past];
  return positions.map((one) => {
    const alone = positions.filter((other) => other.company === one.company).length === 1;
    const same = employers.filter((employer) => textIn(employer, 'name') === one.company);
    if (one.company === null || !alone || same.length !== 1) return one;
    const [employer] = same;
    const sharper = (date: string | null, key: string) => {
      const employerDate = statedDate(at(employer, 'member', key));
      return employerDate !== null && (date === null || employerDate.startsWith(`${date}-`))
        ? employerDate
        : date;
    };
    return {
      title: one.title ?? titleOf(person, employer),
      company: one.company,
      company_url: one.company_url ?? siteLinkOrNull(textIn(employer, 'url')),
      location: one.location ?? visibleOrNull(textIn(employer, 'location')),
      start_date: sharper(one.start_date, 'startDate'),
      end_date: one.is_current === true ? null : sharper(one.end_date, 'endDate'),
      is_current: one.is_current,
      description: one.description ?? visibleOrNull(proseIn(employer, 'member', 'description')),
    };
  });
}
