import type { LinkKind, SharedLink } from './link-objects.js';

/** The job or schedule that a link reads. */
export interface LinkSubject {
  readonly type: 'job' | 'schedule';
  readonly id: string;
}

/** A link that was just made: the only time that its token is there. */
export interface NewLink extends SharedLink {
  readonly token: string;
}

/** A link as its reader finds it. */
export interface FoundLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly account: string;
  readonly subject: LinkSubject;
}

/** Links of one account, at most. */
export const maxLinks = 200;

/** The endings of the addresses of each kind, and the media types that they stand for. */
export const linkTypes = {
  feed: { atom: 'application/atom+xml; charset=utf-8', json: 'application/feed+json; charset=utf-8' },
  table: { csv: 'text/csv; charset=utf-8' },
} as const satisfies Readonly<Record<LinkKind, Readonly<Record<string, string>>>>;

/** The addresses of a link on a server. */
export function linkUrls(base: string, { kind, token }: Pick<NewLink, 'kind' | 'token'>): readonly string[] {
  return Object.keys(linkTypes[kind]).map((ending) => `${base}/${kind}s/${token}.${ending}`);
}
