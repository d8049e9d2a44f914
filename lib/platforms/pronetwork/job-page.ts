import { ExtractError } from '../../errors/extract-error.js';
import { isoFromText } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { all, attr, line, one, prose, type Tree, treeOf } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import type { JobCard } from './job-list.js';
import { jobLabels, jobPage, jobPageSections } from './job-selectors.js';
import { isA, type Thing, textIn, thingsOf } from './json-ld.js';
import { siteLinkOrNull } from './links.js';
import type { PronetworkJob } from './objects.js';
import { type AcceptedPage, acceptFragment, expected, refuseWithoutElement } from './outcome.js';
import { codeIn } from './page-code.js';
import { salaryOf } from './salary.js';

const inAddress = /\/(?:jobs\/view|jobPosting)\/(?:[^/?#]*-)?(\d{1,20})(?:[/?#]|$)/;

/** Numbers of jobs that a page says it is about: in its data, in its head, and in the link around its title. */
function idsOf({ html, head }: AcceptedPage, tree: Tree): readonly string[] {
  const code = codeIn(html, 'decoratedJobPostingId');
  const links = all(tree, jobPage.link).map((link) => attr(link, 'href') ?? '');
  const named = [...head.addresses, ...links].flatMap((address) => inAddress.exec(address)?.[1] ?? []);
  return typeof code === 'string' || typeof code === 'number' ? [String(code), ...named] : named;
}

/** Throws `platform_changed` for a page that is about another job, about two, or does not say. */
function requireJob(id: string, page: Page, accepted: AcceptedPage, tree: Tree): void {
  const ids = idsOf(accepted, tree);
  const other = [...ids, inAddress.exec(page.url)?.[1] ?? id].find((one) => one !== id);
  const isOne = all(tree, jobPage.title).length === 1;
  if (isOne && other === undefined && ids.length > 0) return;
  throw new ExtractError(
    'platform_changed',
    other === undefined
      ? `The page does not say that it is about the job ${id} alone.`
      : `The page is about the job ${other}, not about ${id}.`,
  );
}

/** The page's words for `employmentType` of JSON-LD. */
const employments: ReadonlyMap<unknown, string> = new Map([
  ['FULL_TIME', 'Full-time'],
  ['PART_TIME', 'Part-time'],
  ['CONTRACTOR', 'Contract'],
  ['TEMPORARY', 'Temporary'],
  ['INTERN', 'Internship'],
  ['VOLUNTEER', 'Volunteer'],
  ['OTHER', 'Other'],
]);

function criterion(tree: Tree, label: string): string | null {
  const row = all(tree, jobPage.criteria).find(
    (item) => line(one(item, jobPage.label))?.toLowerCase() === label,
  );
  return line(one(row ?? null, jobPage.value));
}

function companyOf(tree: Tree): PronetworkJob['company'] {
  const link = one(tree, jobPage.company);
  const name = line(link) ?? line(one(tree, jobPage.companyText));
  return name === null ? null : { name, url: siteLinkOrNull(attr(link, 'href')) };
}

/** Description: HTML on the page; HTML escaped once more in JSON-LD. */
function descriptionOf(tree: Tree, posting: Thing | null): string | null {
  const escaped = textIn(posting, 'description');
  return prose(one(tree, jobPage.description)) ?? (escaped === null ? null : prose(treeOf(escaped)));
}

/**
 * A job of a list, completed from its own page or fragment (2024-11, 2026-09). A closed job still has both. Throws `platform_changed` for a page about another job.
 */
export function mergeJobPage(found: JobCard, page: Page): JobCard {
  const accepted = acceptFragment(page, expected.job);
  const parts = cut(accepted.html, jobPageSections);
  const { ld, ...sections } = parts;
  const tree = treeOf(parts.top.length > 0 ? Object.values(sections).flat().join('') : accepted.html);
  if (one(tree, jobPage.title) === null) refuseWithoutElement(page, accepted, 'the title of a job');
  requireJob(found.id, page, accepted, tree);
  const posting = thingsOf(ld).find((thing) => isA(thing, 'JobPosting')) ?? null;
  const { job } = found;
  const pay = line(one(tree, jobPage.salary)) ?? job.salary?.text ?? null;
  const posted = at(posting, 'datePosted');
  const moment = typeof posted === 'string' && posted.includes('T') ? isoFromText(posted) : null;
  return {
    id: found.id,
    job: {
      ...job,
      company: job.company ?? companyOf(tree),
      location: job.location ?? line(one(tree, jobPage.location)),
      workplace_type:
        job.workplace_type ?? (at(posting, 'jobLocationType') === 'TELECOMMUTE' ? 'remote' : null),
      employment_type:
        criterion(tree, jobLabels.employment) ?? employments.get(at(posting, 'employmentType')) ?? null,
      seniority_level: criterion(tree, jobLabels.seniority),
      salary: salaryOf(pay, at(posting, 'baseSalary')),
      listed_at: moment ?? job.listed_at ?? isoFromText(posted),
      description: descriptionOf(tree, posting),
    },
  };
}
