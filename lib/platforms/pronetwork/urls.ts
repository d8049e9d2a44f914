import { ExtractError, invalidParameter } from '../../errors/extract-error.js';
import { invisibleIn } from '../../params/no-username.js';
import { parseWebAddress } from '../../params/web-address.js';
import { orNull } from '../../subject-reader.js';
import { unwrapLink } from './links.js';

const home = 'https://www.linkedin.com';

/** Path segments of pages: a person's, and the three kinds of an organisation's. */
export type PersonKind = 'in';
export type CompanyKind = 'company' | 'school' | 'showcase';
type PageKind = PersonKind | CompanyKind;

export interface PageName<Kind extends PageKind = PageKind> {
  readonly kind: Kind;
  readonly vanity: string;
}

const siteHost = /^(?:(?:www|m|[a-z]{2})\.)?linkedin\.com$/;
/** The mobile site, and the links in the platform's e-mails. */
const before = '(?:/(?:public-profile|mwlite(?:/profile)?|comm))?';
const person = new RegExp(`^${before}/in/([^/]+)(?:/|$)`, 'i');
const company = new RegExp(`^${before}/(company|school|showcase)/([^/]+)(?:/|$)`, 'i');

/**
 * Returns a name in comparable form: percent-decoded, lower case. Null if it cannot be one: names never contain a
 * query, or end with punctuation. A company's may end with a dot (`…-inc.`).
 */
export function normalVanity(text: string): string | null {
  const name = orNull(() => decodeURIComponent(text).normalize().trim().toLowerCase());
  return name !== null &&
    /^[^\s/?#\\<>"@:%=|*\p{C}]{1,150}(?<![,;!)\]}'’”…–—])$/u.test(name) &&
    !/^\.+$/.test(name)
    ? name
    : null;
}

function parse(text: string, depth = 0): URL | null {
  const address = parseWebAddress(text);
  const target = address === null ? null : unwrapLink(address.href);
  const url = target === null ? address : parseWebAddress(target);
  if (url === null) return null;
  // The login's address contains the page that the visitor wanted.
  const redirect = url.pathname === '/authwall' ? url.searchParams.get('sessionRedirect') : null;
  if (redirect !== null) return depth > 0 ? null : parse(redirect, depth + 1);
  return url.port === '' && siteHost.test(url.hostname) ? url : null;
}

function pageOfPath(path: string): PageName | null {
  const one = person.exec(path);
  if (one !== null) {
    const vanity = normalVanity(one[1] as string);
    return vanity === null ? null : { kind: 'in', vanity };
  }
  const [, kind = '', name = ''] = company.exec(path) ?? [];
  const vanity = normalVanity(name);
  return vanity === null ? null : { kind: kind.toLowerCase() as CompanyKind, vanity };
}

/** Returns the page in an address, or null: on any host of the site, ignoring sub-pages and parameters. */
export function pageOfUrl(text: string): PageName | null {
  const url = parse(text);
  return url === null ? null : pageOfPath(url.pathname);
}

const example = { in: `${home}/in/ada-lovelace`, company: `${home}/company/analytical-engines` };

/** True for a number instead of a company's name, whose page only leads to a login (2026-09). */
export const isNumber = (page: PageName) => page.kind !== 'in' && /^\d{1,20}$/.test(page.vanity);

/** True for a company's display name, which has blanks; the name in its URL has none. */
export const isDisplayName = ({ vanity }: PageName) => vanity.includes(' ');

/** The platform's internal, case-sensitive ID of a person, which only leads to a login. */
const internalId = /(?:^|\/in\/)(AC[ow]AA[\w-]{5})[\w-]{15,}/;

function refuseInternalId(text: string, code: 'invalid_url' | 'invalid_parameter'): void {
  const id = internalId.exec(text)?.[1];
  if (id === undefined) return;
  throw new ExtractError(
    code,
    `${id}… is an internal ID of LinkedIn, not a name. Open the profile and copy the URL from the address bar.`,
  );
}

/** Returns the person in a profile page's address. Throws `invalid_url`. */
export function personOfUrl(text: string): PageName<PersonKind> {
  refuseInternalId(text, 'invalid_url');
  const page = pageOfUrl(text);
  if (page?.kind === 'in') return { kind: 'in', vanity: page.vanity };
  throw new ExtractError('invalid_url', `The url must be a profile page, such as ${example.in}.`);
}

/** Returns the company in the address of a company, school or showcase page. Throws `invalid_url`. */
export function companyOfUrl(text: string): PageName<CompanyKind> {
  const page = pageOfUrl(text);
  if (page === null || page.kind === 'in') {
    throw new ExtractError('invalid_url', `The url must be a company page, such as ${example.company}.`);
  }
  return { kind: page.kind, vanity: page.vanity };
}

/** Returns the company in an address with its name. Throws `invalid_url`. */
export function namedCompanyOfUrl(text: string): PageName<CompanyKind> {
  const page = companyOfUrl(text);
  if (!isNumber(page)) return page;
  throw new ExtractError(
    'invalid_url',
    'A company’s number only leads to a login page: give the URL with the company’s name.',
  );
}

function vanityOf(text: string, prefix: string, example: string): string {
  const vanity = normalVanity(text.replace(/^@/, ''));
  if (vanity !== null) return vanity;
  throw invalidParameter(
    invisibleIn(text, 'name') ??
      `The parameter vanity_name must be the part of the URL after ${prefix}, such as ${example}, not a URL.`,
  );
}

/** Throws for a display name, because LinkedIn has no people search for logged-out visitors. */
function refuseDisplayName(text: string): void {
  if (!/^[\p{L}\p{M}.'’-]+(?: [\p{L}\p{M}.'’-]+)+$/u.test(text.trim())) return;
  throw invalidParameter(
    `LinkedIn has no public search for people. Find the profile of ${text.trim()} with a web search, and give its URL, such as ${example.in}.`,
  );
}

/** Returns a person by name. Throws `invalid_parameter`. */
export function personOfName(text: string): PageName<PersonKind> {
  refuseInternalId(text, 'invalid_parameter');
  refuseDisplayName(text);
  return { kind: 'in', vanity: vanityOf(text, '/in/', 'ada-lovelace') };
}

/** Returns a company by the name in its URL, its number or its display name. Throws `invalid_parameter`. */
export function companyOfName(text: string): PageName<CompanyKind> {
  const name = text.normalize().trim().replace(/\s+/g, ' ').toLowerCase();
  const isWords = name.includes(' ') && name.length <= 150 && !/[\p{C}/?#\\<>@]/u.test(name);
  if (isWords && /[\p{L}\p{N}]/u.test(name)) return { kind: 'company', vanity: name };
  return { kind: 'company', vanity: vanityOf(text, '/company/', 'analytical-engines') };
}

export const pageUrl = ({ kind, vanity }: PageName) => `${home}/${kind}/${encodeURIComponent(vanity)}`;

export function moreUpdatesUrl(organisation: string, token: string | null, start: number): string {
  const query = token === null ? '' : `paginationToken=${encodeURIComponent(token)}&`;
  return `${home}/organization-guest/api/feedUpdates/${organisation}?${query}paginationStart=${start}`;
}

/** Parameters of a job search, named as in the guest interface. */
export interface JobSearch {
  readonly keywords: string;
  readonly location: string | null;
  /** `geoId`: the platform's number for the location. */
  readonly geo: string | null;
  /** `f_WT`: 1 on-site, 2 remote, 3 hybrid. */
  readonly workplace: string | null;
  /** `f_TPR`: seconds since the posting. */
  readonly seconds: number | null;
}

function queryOf({ keywords, location, geo, workplace, seconds }: JobSearch): URLSearchParams {
  const query = new URLSearchParams({ keywords });
  if (location !== null) query.set('location', location);
  if (geo !== null) query.set('geoId', geo);
  if (workplace !== null) query.set('f_WT', workplace);
  if (seconds !== null) query.set('f_TPR', `r${seconds}`);
  return query;
}

export const jobSearchUrl = (search: JobSearch) => `${home}/jobs/search?${queryOf(search).toString()}`;

/** Address of a fragment of a job list, from number `start`. */
export function jobListUrl(search: JobSearch, start: number): string {
  const query = queryOf(search);
  query.set('start', String(start));
  return `${home}/jobs-guest/jobs/api/seeMoreJobPostings/search?${query.toString()}`;
}

const kindsOfPlaces = 'POPULATED_PLACE,ADMIN_DIVISION_2,MARKET_AREA,COUNTRY_REGION';

const suggested = {
  place: { typeaheadType: 'GEO', geoTypes: kindsOfPlaces, origin: 'jserp' },
  company: { typeaheadType: 'COMPANY', origin: 'jserp' },
};

export const suggestionsUrl = (kind: keyof typeof suggested, words: string) =>
  `${home}/jobs-guest/api/typeaheadHits?${new URLSearchParams({ ...suggested[kind], query: words }).toString()}`;

export const jobsOfCompanyUrl = (company: string) =>
  `${home}/jobs-guest/jobs/api/seeMoreJobPostings/search?location=Worldwide&f_C=${company}&start=0`;

export const jobFragmentUrl = (id: string) => `${home}/jobs-guest/jobs/api/jobPosting/${id}`;
export const jobPageUrl = (id: string) => `${home}/jobs/view/${id}`;
