import { all, attr, firstElement, line, type Tree } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { statedDate, wordedDate } from './dates.js';
import { isA, many, type Thing, textIn } from './json-ld.js';
import { siteLinkOrNull } from './links.js';
import { visibleLine, visibleOrNull } from './mask-check.js';
import type { PronetworkEducation } from './objects.js';
import { educationItems as selectors } from './profile-selectors.js';

/**
 * Reads degree and field of study. The field is marked `educations` (2024-03 to 2026-07); other text after a degree may
 * be the grade.
 */
function studies(item: Tree): { degree: string | null; field_of_study: string | null } {
  const facts = all(item, selectors.facts);
  const field = facts.find((fact) => attr(fact, 'data-section') === 'educations') ?? null;
  return {
    degree: field === facts[0] ? null : visibleLine(facts[0] ?? null),
    field_of_study: visibleLine(field),
  };
}

/** Reads start and end. The sign next to a single date tells which of them it is. */
function yearsOf(item: Tree, language: string): readonly [start: string | null, end: string | null] {
  const range = firstElement(item, selectors.dates);
  const times = range === null ? [] : all(range, selectors.time);
  const [first = null, second = null] = times.map((time) => wordedDate(line(time), language));
  if (times.length > 1) return [first, second];
  const words = line(range) ?? '';
  return [/[-–—]$/.test(words) ? first : null, /^[-–—]/.test(words) ? first : null];
}

/** Reads the education section; null without rows, or if one has no school, not even a masked one. */
export function readEducation(section: Tree, language: string): PronetworkEducation[] | null {
  const items = all(section, selectors.items);
  if (items.length === 0 || items.some((item) => line(firstElement(item, selectors.school)) === null))
    return null;
  return items.map((item) => {
    const [start, end] = yearsOf(item, language);
    return {
      school: visibleLine(firstElement(item, selectors.school)),
      school_url: siteLinkOrNull(attr(firstElement(item, selectors.link), 'href')),
      ...studies(item),
      start_date: start,
      end_date: end,
    };
  });
}

/** Reads schools from JSON-LD, for a page without a list of them. */
export function educationOf(person: Thing): PronetworkEducation[] {
  return many(at(person, 'alumniOf'))
    .filter((one) => isA(one, 'EducationalOrganization'))
    .map((school) => ({
      school: visibleOrNull(textIn(school, 'name')),
      school_url: siteLinkOrNull(textIn(school, 'url')),
      degree: null,
      field_of_study: null,
      start_date: statedDate(at(school, 'member', 'startDate')),
      end_date: statedDate(at(school, 'member', 'endDate')),
    }))
    .filter((one) => one.school !== null);
}

/** Completes schools from the JSON-LD if one school of that name is in both. */
export function completeSchools(
  schools: readonly PronetworkEducation[],
  person: Thing,
): PronetworkEducation[] {
  const described = educationOf(person);
  return schools.map((one) => {
    const alone = one.school !== null && schools.filter((other) => other.school === one.school).length === 1;
    const same = described.filter(({ school }) => school === one.school);
    const [first] = same;
    if (!alone || same.length !== 1 || first === undefined) return one;
    const isUndated = one.start_date === null && one.end_date === null;
    return {
      ...one,
      school_url: one.school_url ?? first.school_url,
      start_date: isUndated ? first.start_date : one.start_date,
      end_date: isUndated ? first.end_date : one.end_date,
    };
  });
}
