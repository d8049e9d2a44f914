import * as z from 'zod';
import { invalidParameter } from '../../errors/extract-error.js';
import { object } from '../../object.js';
import type { Json } from '../../read/json.js';

/** A query that the platform stores under an ID and answers for logged-out visitors. */
export interface Document {
  readonly id: string;
  /** Its name, repeated in the request. */
  readonly name: string;
  /**
   * The only path that answers it correctly. On the other path, a logged-out document answers `null`, which looks
   * exactly like “no such account” (2026).
   */
  readonly path: '/api/graphql' | '/graphql/query';
  /** Its variables. A string that begins with $ is replaced by the value of that name. */
  readonly variables: Readonly<Record<string, Json>>;
}

const loggedOut = (id: string, name: string, variables: Readonly<Record<string, Json>>): Document => ({
  id,
  name: `PolarisLoggedOutDesktopWWW${name}`,
  path: '/api/graphql',
  variables,
});

const pageOfTwelve = {
  username: '$username',
  data: {
    count: 12,
    include_reel_media_seen_timestamp: true,
    include_relationship_info: true,
    latest_besties_reel_media: true,
    latest_reel_media: true,
  },
  // Without each of these switches the answer is null with an “execution error”.
  __relay_internal__pv__PolarisMultiCaptionCarouselEnabledrelayprovider: false,
  __relay_internal__pv__PolarisReelsRecoDebugOverlayEnabledrelayprovider: false,
  __relay_internal__pv__PolarisShortDramaEnabledrelayprovider: false,
};

/**
 * Dated data: the documents as seen on 2026-09-22 (`post` 2026-06 to 2026-10). The platform retires IDs every few
 * weeks. A page that names a newer one takes precedence (`document-ids.ts`), and the setting
 * EXTRACT_PHOTOSOCIAL_DOCUMENTS can replace any of this until the next release.
 */
export const knownDocuments = {
  profile: loggedOut('27981003384861049', 'ProfileRootContentQuery', { username: '$username' }),
  profileDetails: {
    id: '28036671149327607',
    name: 'PolarisProfilePageContentQuery',
    path: '/graphql/query',
    variables: { id: '$id', enable_integrity_filters: true },
  },
  posts: loggedOut('27553725110923321', 'ProfilePostsTabContentQuery', { first: 12, username: '$username' }),
  postsNext: loggedOut('27389614800735091', 'ProfilePostsTabContentQuery_connection', {
    after: '$after',
    first: 12,
    id: '$id',
  }),
  fullPosts: {
    id: '39740939532171951',
    name: 'PolarisProfilePostsQuery',
    path: '/graphql/query',
    variables: pageOfTwelve,
  },
  fullPostsNext: {
    id: '28489798657316487',
    name: 'PolarisProfilePostsTabContentQuery_connection',
    path: '/graphql/query',
    variables: { ...pageOfTwelve, after: '$after', before: null, first: 12, last: null },
  },
  post: loggedOut('27130156389949648', 'PostRootContentQuery', { media_id: '$id' }),
  postItem: {
    id: '28210188581965596',
    name: 'PolarisPostRootQuery',
    path: '/graphql/query',
    variables: {
      shortcode: '$shortcode',
      __relay_internal__pv__PolarisAIGMMediaWebLabelEnabledrelayprovider: false,
      __relay_internal__pv__PolarisMultiCaptionCarouselEnabledrelayprovider: false,
      __relay_internal__pv__PolarisShortDramaEnabledrelayprovider: false,
    },
  },
  comments: loggedOut('27659279553772821', 'PostCommentsPaginationQuery', {
    after: '$after',
    first: 50,
    media_id: '$id',
  }),
  hashtag: loggedOut('29032174876406682', 'PopularSearchPageQuery', {
    keyword: '$keyword',
    media_count: 12,
    after: '$after',
    related_keywords_count: 0,
    include_reel_experience_fields: false,
    include_description: false,
    include_trending_pills: false,
    debug: false,
  }),
} as const satisfies Record<string, Document>;

export type DocumentName = keyof typeof knownDocuments;
export type Documents = Readonly<Record<DocumentName, Document>>;

const replacement = object(() => ({
  id: z.string().regex(/^\d+$/).optional(),
  name: z.string().min(1).optional(),
  path: z.enum(['/api/graphql', '/graphql/query']).optional(),
  variables: z.record(z.string(), z.json()).optional(),
}));
const replacements = object(() =>
  Object.fromEntries(Object.keys(knownDocuments).map((name) => [name, replacement.optional()])),
);

/** The surface for document queries; each path refuses independently. */
export const surfaceOf = ({ path }: Document) => (path === '/api/graphql' ? 'document' : 'query');

/** Returns the known documents with the operator's replacements. Throws `invalid_parameter`. */
export function documentsWith(overrides: Json): Documents {
  if (overrides === null) return knownDocuments;
  const checked = replacements.safeParse(overrides);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw invalidParameter(
      `The file of EXTRACT_PHOTOSOCIAL_DOCUMENTS is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? ''}. Correct it; it may replace: ${Object.keys(knownDocuments).join(', ')}.`,
    );
  }
  const merged = Object.entries(knownDocuments).map(([name, document]) => [
    name,
    { ...document, ...checked.data[name] },
  ]);
  return Object.fromEntries(merged) as Documents;
}

export function fillVariables(template: Json, values: Readonly<Record<string, Json>>): Json {
  if (typeof template === 'string') {
    return template.startsWith('$') ? (values[template.slice(1)] ?? null) : template;
  }
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template)) return template.map((part: Json) => fillVariables(part, values));
  return Object.fromEntries(
    Object.entries(template).map(([key, part]) => [key, fillVariables(part as Json, values)]),
  );
}
