import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import type { Route } from '../../../routes/route.js';
import { ask } from '../../../routes/walk.js';
import type { PageSession } from '../../../web/page-source.js';
import { isBlank } from '../outcome.js';
import { fragmentRequest } from '../site.js';
import {
  type CompanyKind,
  isDisplayName,
  isNumber,
  jobsOfCompanyUrl,
  type PageName,
  pageOfUrl,
} from '../urls.js';
import { companyNames } from './company-names.js';

/** A company as its routes require it. */
export interface CompanySubject extends PageName<CompanyKind> {
  /** The requested number, which its page must have. */
  readonly number: string | null;
}

/** The list of a company's open jobs, whose cards link to its page. A page cannot be opened by number. */
export const companyJobs: Route<string, CompanySubject> = {
  name: 'company-jobs',
  reads: 'The list of the company’s open jobs, which names its page.',
  surface: 'guest',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  async read({ identity: number, session }) {
    const { readJobList } = await import('../job-list.js');
    const fragment = await session.fetch(fragmentRequest(jobsOfCompanyUrl(number)));
    const list = readJobList(fragment, true, '');
    if (isBlank(fragment)) {
      throw refusal('shell', 'The platform answered with an empty list, its way of refusing.');
    }
    const pages = (list?.jobs ?? []).map(({ job }) => pageOfUrl(job.company?.url ?? ''));
    const [page, ...others] = pages;
    if (page && page.kind !== 'in' && others.every((other) => other?.vanity === page.vanity)) {
      return { kind: page.kind, vanity: page.vanity, number };
    }
    throw new ExtractError(
      'platform_login_required',
      `LinkedIn shows visitors no company by its number alone, and no open job names company ${number}: give the URL with the company’s name.`,
    );
  },
};

/** Returns the page of a company requested by the name in its URL, its number or its display name. */
export async function companyOf(
  requested: { readonly kind: CompanyKind; readonly vanity: string },
  session: PageSession,
): Promise<CompanySubject> {
  const askBy = { limit: 1, part: null, session, overrides: null };
  if (isDisplayName(requested)) {
    const number = await ask(companyNames, { ...askBy, identity: requested.vanity });
    return ask(companyJobs, { ...askBy, identity: number });
  }
  if (!isNumber(requested)) return { ...requested, number: null };
  return ask(companyJobs, { ...askBy, identity: requested.vanity });
}

/** Throws for the page of a company with another number. */
export function requireNumber({ number }: CompanySubject, source: { readonly id: string | null }): void {
  if (number === null || source.id === number) return;
  throw new ExtractError('platform_changed', `The page does not say that it is about the company ${number}.`);
}
