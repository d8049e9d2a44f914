import type { LinkKind, SharedLink } from './link-objects.js';

/** The job or schedule that a link shows. */
export interface LinkSubject {
  readonly type: 'job' | 'schedule';
  readonly id: string;
}

/** A new link. Its token is available only here. */
export interface NewLink extends SharedLink {
  readonly token: string;
}

export interface FoundLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly account: string;
  readonly subject: LinkSubject;
}

export const maxLinks = 200;

/** Address suffixes by kind, with their media types. */
export const linkTypes = {
  feed: { atom: 'application/atom+xml; charset=utf-8', json: 'application/feed+json; charset=utf-8' },
  table: { csv: 'text/csv; charset=utf-8' },
} as const satisfies Readonly<Record<LinkKind, Readonly<Record<string, string>>>>;

export function linkUrls(base: string, { kind, token }: Pick<NewLink, 'kind' | 'token'>): readonly string[] {
  return Object.keys(linkTypes[kind]).map((ending) => `${base}/${kind}s/${token}.${ending}`);
}
