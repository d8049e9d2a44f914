import type { LinkKind, SharedLink } from './link-objects.js';

/** The job or schedule that a link gives access to. */
export interface LinkSubject {
  readonly type: 'job' | 'schedule';
  readonly id: string;
}

/** A new link: the only time its token is available. */
export interface NewLink extends SharedLink {
  readonly token: string;
}

/** A link as looked up by its token. */
export interface FoundLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly account: string;
  readonly subject: LinkSubject;
}

/** Maximum links per account. */
export const maxLinks = 200;

/** The suffixes of each kind's addresses, with their media types. */
export const linkTypes = {
  feed: { atom: 'application/atom+xml; charset=utf-8', json: 'application/feed+json; charset=utf-8' },
  table: { csv: 'text/csv; charset=utf-8' },
} as const satisfies Readonly<Record<LinkKind, Readonly<Record<string, string>>>>;

/** Returns the addresses of a link on a server. */
export function linkUrls(base: string, { kind, token }: Pick<NewLink, 'kind' | 'token'>): readonly string[] {
  return Object.keys(linkTypes[kind]).map((ending) => `${base}/${kind}s/${token}.${ending}`);
}
