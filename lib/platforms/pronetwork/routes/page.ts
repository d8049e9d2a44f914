import { intOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { ItemIdentity } from '../../../routes/complete-items.js';
import type { ObjectReading, Part, Route } from '../../../routes/route.js';
import { activityIdOf } from '../activity-id.js';
import { sourceOfPage } from '../item-sources.js';
import { type JobQuery, jobPart, searchOf } from '../job-part.js';
import type { PronetworkCompany, PronetworkJob, PronetworkPost, PronetworkProfile } from '../objects.js';
import { postPart } from '../post-part.js';
import { pageRequest } from '../site.js';
import { type PageName, pageUrl } from '../urls.js';
import { type CompanySubject, requireNumber } from './companies.js';

/** The only route to a profile for visitors. */
export const profilePage: Route<{ readonly vanity: string }, ObjectReading<PronetworkProfile>> = {
  name: 'profile-page',
  reads: 'The public page of the person.',
  surface: 'page',
  seen: { month: '2026-08', from: ['home'] },
  fills: {
    ...{ about: 'some', location: 'some', current_company: 'some', skills: 'some' },
    ...{ experience: 'some', education: 'some' },
  },
  async read({ identity: { vanity }, session }) {
    const requested = { kind: 'in', vanity } as const;
    const page = await session.fetch(pageRequest(pageUrl(requested)));
    const { readProfilePage } = await import('../profile-page.js');
    return { data: readProfilePage(page, requested), source: sourceOfPage(page, requested) };
  },
};

/** The public page of a company, a school or a showcase. */
export const companyPage: Route<CompanySubject, ObjectReading<PronetworkCompany>> = {
  name: 'company-page',
  reads: 'The public page of the company.',
  surface: 'page',
  seen: { month: '2026-09', from: ['home'] },
  fills: {
    ...{ tagline: 'some', description: 'some', website: 'some', industry: 'some', company_size: 'some' },
    ...{ employees_on_pronetwork: 'some', headquarters: 'some', company_type: 'some', founded: 'some' },
    ...{ specialties: 'some', follower_count: 'some' },
  },
  async read({ identity, session }) {
    const page = await session.fetch(pageRequest(pageUrl(identity)));
    const { readCompanyPage } = await import('../company-page.js');
    const data = readCompanyPage(page, identity);
    const source = sourceOfPage(page, identity);
    requireNumber(identity, source);
    return { data, source };
  },
};

/** The page of a person, or of a company with what its button for more posts loads. */
export const postsPage: Route<PageName, Part<PronetworkPost>> = {
  name: 'posts-page',
  reads: 'The page of the person or company, and what the company’s page loads as visitors scroll.',
  surface: 'page',
  seen: { month: '2026-09', from: ['home'] },
  fills: {
    ...{ text: 'some', images: 'some', video: 'some', document: 'some', article: 'some' },
    ...{ published_at: 'some', reaction_count: 'some', comment_count: 'some' },
    ...{ reaction_breakdown: 'some', repost_count: 'never' },
  },
  async read(context) {
    const { identity, limit, part, session } = context;
    if (identity.kind !== 'in') {
      const { readCompanyPart } = await import('../company-walk.js');
      return readCompanyPart(context);
    }
    const { readProfilePosts } = await import('../profile-posts.js');
    const page = await session.fetch(pageRequest(pageUrl(identity)));
    const { posts, emptyProof } = readProfilePosts(page, identity);
    const skip = intOrNull(at(part, 'skip')) ?? 0;
    const end = skip + limit;
    return postPart(identity, posts.slice(skip, end), {
      emptyProof: posts.length === 0 ? emptyProof : { leftOut: posts.length },
      ...(end < posts.length ? { next: { skip: end } } : { next: null, ended: 'visitors' }),
    });
  },
};

export const postPage: Route<ItemIdentity, ObjectReading<PronetworkPost>> = {
  name: 'post-page',
  reads: 'The post’s own page.',
  surface: 'page',
  seen: { month: '2026-09', from: ['home'] },
  fills: { reaction_breakdown: 'some', repost_count: 'never', document: 'some', article: 'some' },
  async read({ identity: { id, url }, session }) {
    const { readPostPage } = await import('../post-page.js');
    const address = url ?? `https://www.linkedin.com/feed/update/${id}`;
    const page = await session.fetch(pageRequest(address));
    const data = readPostPage(page, activityIdOf(id) ?? id);
    return { data, source: { id, url, author: null } };
  },
};

/**
 * The page of a search, which has up to sixty jobs and counts them all. Only this page proves that there are none.
 * Further jobs are loaded as the page does it.
 */
export const searchPage: Route<JobQuery, Part<PronetworkJob>> = {
  name: 'search-page',
  reads: 'The page of a search, with up to sixty jobs and their number.',
  surface: 'page',
  seen: { month: '2026-08', from: ['home', 'datacentre'] },
  fills: {
    ...{ employment_type: 'never', seniority_level: 'never', description: 'never' },
    ...{ workplace_type: 'some', salary: 'some' },
  },
  async read(context) {
    const { identity, limit, part, session } = context;
    if (at(part, 'start') !== undefined) {
      const { readFragments } = await import('../job-fragments.js');
      return readFragments(context);
    }
    const { searchPageOf } = await import('../job-search-page.js');
    const skip = intOrNull(at(part, 'skip')) ?? 0;
    const { search, place } = await searchOf(context);
    const { jobs, total, answeredAt } = await searchPageOf(search, session);
    const to = skip + limit;
    const next = to < jobs.length ? { skip: to, ...place } : { start: jobs.length, skip: 0, ...place };
    const isEnd = typeof total === 'number' && Math.min(to, jobs.length) >= total;
    return jobPart(identity, jobs.slice(skip, to), {
      answeredAt,
      ...place,
      emptyProof: { none: total === 0, end: isEnd },
      total: total === 'many' ? null : total,
      ...(isEnd ? { ended: 'end' } : { next }),
    });
  },
};
