import { ExtractError } from '../../errors/extract-error.js';
import { isoFromText } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { all, attr, firstElement, line, prose, type Tree, treeOf } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import type { JobCard } from './job-list.js';
import { jobLabels, jobPage, jobPageSections } from './job-selectors.js';
import { isA, pagesOf, type Thing, textIn, thingsOf } from './json-ld.js';
import { siteLinkOrNull } from './links.js';
import type { PronetworkJob } from './objects.js';
import { type AcceptedPage, acceptFragment, pageKinds, refuseWithoutElement } from './outcome.js';
import { codeIn } from './page-code.js';
import { salaryOf } from './salary.js';
import { pageOfUrl } from './urls.js';
import { workplaceIn } from './workplace.js';

const inAddress = /\/(?:jobs\/view|jobPosting)\/(?:[^/?#]*-)?(\d{1,20})(?:[/?#]|$)/;

/** Returns the job numbers that a page claims to be about: in its data, its head, and the link around its title. */
function idsOf({ html, head }: AcceptedPage, tree: Tree): readonly string[] {
  const code = codeIn(html, 'decoratedJobPostingId');
  const links = all(tree, jobPage.link).map((link) => attr(link, 'href') ?? '');
  const numbers = [...head.addresses, ...links].flatMap((address) => inAddress.exec(address)?.[1] ?? []);
  return typeof code === 'string' || typeof code === 'number' ? [String(code), ...numbers] : numbers;
}

/** Throws `platform_changed` for a page about another job or two jobs, or that does not say. */
function requireJob(id: string, page: Page, acceptedPage: AcceptedPage, tree: Tree): void {
  const ids = idsOf(acceptedPage, tree);
  const other = [...ids, inAddress.exec(page.url)?.[1] ?? id].find((one) => one !== id);
  const isOne = all(tree, jobPage.title).length === 1;
  if (isOne && other === undefined && ids.length > 0) return;
  throw new ExtractError(
    'platform_changed',
    other === undefined
      ? `The page does not say that it is only about the job ${id}.`
      : `The page is about the job ${other}, not about ${id}.`,
  );
}

/** The page's words for `employmentType` in JSON-LD. */
const employments: ReadonlyMap<unknown, string> = new Map([
  ['FULL_TIME', 'Full-time'],
  ['PART_TIME', 'Part-time'],
  ['CONTRACTOR', 'Contract'],
  ['TEMPORARY', 'Temporary'],
  ['INTERN', 'Internship'],
  ['VOLUNTEER', 'Volunteer'],
  ['OTHER', 'Other'],
]);

/**
 * Reads the criteria of a job. On a page in another language they are identified by position, if all four are there.
 */
function criteriaOf(tree: Tree): Pick<PronetworkJob, 'seniority_level' | 'employment_type'> {
  const rows = all(tree, jobPage.criteria);
  const labels = rows.map((row) => line(firstElement(row, jobPage.label))?.toLowerCase());
  const isEnglish = jobLabels.some((label) => labels.includes(label));
  const valueAt = (labelIndex: number) => {
    const index = isEnglish ? labels.indexOf(jobLabels[labelIndex]) : labelIndex;
    return line(firstElement(rows[index] ?? null, jobPage.value));
  };
  if (!isEnglish && rows.length !== jobLabels.length) return { seniority_level: null, employment_type: null };
  return { seniority_level: valueAt(0), employment_type: valueAt(1) };
}

function companyOf(tree: Tree): PronetworkJob['company'] {
  const link = firstElement(tree, jobPage.company);
  const name = line(link) ?? line(firstElement(tree, jobPage.companyText));
  return name === null ? null : { name, url: siteLinkOrNull(attr(link, 'href')) };
}

/**
 * Returns the JSON-LD posting with the job's title and employer; null if two match, because either may be another
 * job's.
 */
function postingOf(things: readonly Thing[], title: string, company: PronetworkJob['company']): Thing | null {
  const employer = pageOfUrl(company?.url ?? '')?.vanity;
  const matching = things.filter((thing) => {
    const organisation = at(thing, 'hiringOrganization');
    const pages = pagesOf(organisation).map(({ vanity }) => vanity);
    const isEmployer =
      pages.length > 0 && employer !== undefined
        ? pages.includes(employer)
        : company === null || textIn(organisation, 'name') === company.name;
    return isA(thing, 'JobPosting') && textIn(thing, 'title') === title && isEmployer;
  });
  return matching.length === 1 ? (matching[0] as Thing) : null;
}

/** Returns the description: HTML on the page; HTML escaped once more in JSON-LD. */
function descriptionOf(tree: Tree, posting: Thing | null): string | null {
  const escaped = textIn(posting, 'description');
  return prose(firstElement(tree, jobPage.description)) ?? (escaped === null ? null : prose(treeOf(escaped)));
}

/**
 * Reads a job from its own page or fragment (2024-11, 2026-09). A closed job still has both. Throws `platform_changed`
 * for a page about another job.
 */
export function readJobPage(page: Page, id: string): JobCard {
  const acceptedPage = acceptFragment(page, pageKinds.job);
  const parts = cut(acceptedPage.html, jobPageSections);
  const { ld, ...sections } = parts;
  const tree = treeOf(parts.top.length > 0 ? Object.values(sections).flat().join('') : acceptedPage.html);
  const title = line(firstElement(tree, jobPage.title));
  if (title === null) refuseWithoutElement(page, acceptedPage, 'the title of a job');
  requireJob(id, page, acceptedPage, tree);
  const company = companyOf(tree);
  const location = line(firstElement(tree, jobPage.location));
  const posting = postingOf(thingsOf(ld), title, company);
  const { seniority_level, employment_type } = criteriaOf(tree);
  const isRemote = at(posting, 'jobLocationType') === 'TELECOMMUTE';
  return {
    id,
    job: {
      title,
      company,
      location,
      workplace_type: workplaceIn(location, title) ?? (isRemote ? 'remote' : null),
      employment_type: employment_type ?? employments.get(at(posting, 'employmentType')) ?? null,
      seniority_level,
      salary: salaryOf(line(firstElement(tree, jobPage.salary)), at(posting, 'baseSalary')),
      listed_at: isoFromText(at(posting, 'datePosted')),
      description: descriptionOf(tree, posting),
    },
  };
}
