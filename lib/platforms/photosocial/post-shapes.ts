import { idOrNull, numberOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';
import type { Subject } from './page-data.js';
import { nodesOf, saidOf } from './raw-list.js';
import { shortcodeOfId } from './shortcode.js';

type MediaType = 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';

export interface RawMedia {
  readonly type: MediaType | null;
  readonly images: readonly unknown[];
  readonly videos?: readonly unknown[];
}

/** A post of any shape, unconverted, with what the shape has. */
export interface RawPost extends RawMedia {
  readonly shortcode: unknown;
  /** `clips` is a reel. */
  readonly productType?: unknown;
  /** Null if the shape says that there is none. */
  readonly caption: unknown;
  readonly takenAt?: unknown;
  readonly children?: readonly RawMedia[];
  readonly likes: unknown;
  /** True if the likes or views shown are placeholders. `unsaid`: small counts are, too. */
  readonly countsHidden?: unknown;
  /** Counts of comments. The first includes replies. */
  readonly comments: readonly unknown[];
  readonly views?: readonly unknown[];
  readonly paidPartnership?: unknown;
  /** Accounts named as sponsors. */
  readonly sponsors?: readonly unknown[];
  readonly username: unknown;
  readonly ownerId?: unknown;
  readonly ownerName?: unknown;
  /** ID by which the documents of shape P identify the owner's account. */
  readonly ownerNodeId?: unknown;
  readonly coauthors?: readonly unknown[];
}

const hiddenFlag = 'like_and_view_counts_disabled';

/** A flag without a value says no more than a missing one. */
const hiddenOf = (flag: unknown) => flag ?? 'unsaid';

const size = (candidate: unknown) => {
  const width = numberOrNull(at(candidate, 'width'));
  const height = numberOrNull(at(candidate, 'height'));
  return width !== null && height !== null && width > 0 && height > 0 ? { width, height } : null;
};

/**
 * Returns picture addresses in V1 and P, best first: the largest with the post's own proportions. Square crops are at
 * the end of the list and may be larger than the full picture.
 */
export function picturesOf(media: unknown): unknown[] {
  const candidates = listAt(media, 'image_versions2', 'candidates');
  const fullSize =
    size({ width: at(media, 'original_width'), height: at(media, 'original_height') }) ?? size(candidates[0]);
  const area = (candidate: unknown) => {
    const ownSize = size(candidate);
    if (ownSize === null || fullSize === null) return 0;
    const stretch = (ownSize.width * fullSize.height) / (ownSize.height * fullSize.width);
    return stretch > 0.97 && stretch < 1.03 ? ownSize.width * ownSize.height : 0;
  };
  const best = candidates
    .map((candidate) => ({ url: at(candidate, 'url'), area: area(candidate) }))
    .sort((a, b) => b.area - a.area);
  return [...best.map(({ url }) => url), at(media, 'display_uri')];
}

const mediaTypes: ReadonlyMap<unknown, MediaType> = new Map<unknown, MediaType>([
  [1, 'IMAGE'],
  [2, 'VIDEO'],
  [8, 'CAROUSEL_ALBUM'],
  ['XIGPolarisImageMedia', 'IMAGE'],
  ['XIGPolarisVideoMedia', 'VIDEO'],
  ['XIGPolarisCarouselMedia', 'CAROUSEL_ALBUM'],
]);

function mediaOf(media: unknown): RawMedia {
  return {
    type: mediaTypes.get(at(media, 'media_type')) ?? mediaTypes.get(at(media, '__typename')) ?? null,
    images: picturesOf(media),
    videos: listAt(media, 'video_versions').map((version) => at(version, 'url')),
  };
}

/** The caption in V1 and P, where `null` means none; a caption without text is unknown. */
const captionOf = (media: unknown) =>
  at(media, 'caption') === null ? null : (at(media, 'caption', 'text') ?? undefined);

/** What V1 and P have under the same names. */
function appPost(media: unknown) {
  return {
    ...mediaOf(media),
    productType: at(media, 'product_type'),
    caption: captionOf(media),
    takenAt: at(media, 'taken_at'),
    // The children's like counts are 0 and meaningless.
    children: listAt(media, 'carousel_media').map(mediaOf),
    likes: at(media, 'like_count'),
    countsHidden: hiddenOf(saidOf(media, hiddenFlag)),
    comments: [at(media, 'comment_count')],
    username: at(media, 'user', 'username'),
    ownerId: at(media, 'user', 'pk'),
    ownerName: at(media, 'user', 'full_name'),
    coauthors: listAt(media, 'coauthor_producers').map((user) => at(user, 'username')),
  };
}

/**
 * Shape P: a post, complete or as in listings, which lack the time, the counts and the files. It has no label, even for
 * posts that have one.
 */
export const polarisPost = (media: unknown): RawPost => ({
  ...appPost(media),
  shortcode: at(media, 'code'),
  views: [at(media, 'play_count')],
  ownerNodeId: at(media, 'user', 'id'),
});

/** Shape V1: the app's items, from REST responses and in GraphQL as `xdt_api__v1__…`. */
export function itemPost(item: unknown): RawPost {
  return {
    ...appPost(item),
    // In REST responses `pk` is a JSON number beyond 2^53 and has lost digits; `id` is a string.
    shortcode: at(item, 'code') ?? shortcodeOfId(idOrNull(at(item, 'id')) ?? idOrNull(at(item, 'pk')) ?? ''),
    views: [at(item, 'play_count'), at(item, 'ig_play_count'), at(item, 'view_count')],
    paidPartnership: at(item, 'is_paid_partnership'),
    sponsors: listAt(item, 'sponsor_tags'),
  };
}

function legacyType(node: unknown): MediaType | null {
  const name = /(Image|Video|Sidecar)$/.exec(String(at(node, '__typename') ?? ''))?.[1];
  if (name === 'Sidecar' || at(node, 'edge_sidecar_to_children') !== undefined) return 'CAROUSEL_ALBUM';
  // Children on embed pages have no type name.
  const video = name === undefined ? at(node, 'is_video') : name === 'Video';
  return video === true ? 'VIDEO' : video === false ? 'IMAGE' : null;
}

function legacyMedia(node: unknown): RawMedia {
  return {
    type: legacyType(node),
    images: [
      at(node, 'display_url'),
      at(listAt(node, 'display_resources'), -1, 'src'),
      at(node, 'display_src'),
    ],
    videos: [at(node, 'video_url')],
  };
}

/** The caption in L and X, where an empty list means none; a plain string until 2017. */
function legacyCaption(node: unknown): unknown {
  const edges = at(node, 'edge_media_to_caption', 'edges');
  if (Array.isArray(edges)) return edges.length === 0 ? null : (at(edges, 0, 'node', 'text') ?? undefined);
  return at(node, 'caption');
}

/** Shapes L and X: objects joined by `edge_…`; in X (2024) the type names begin with XDT. */
export function legacyPost(node: unknown): RawPost {
  const views = at(node, 'video_view_count');
  return {
    ...legacyMedia(node),
    shortcode: at(node, 'shortcode') ?? at(node, 'code'),
    productType: at(node, 'product_type'),
    caption: legacyCaption(node),
    takenAt: at(node, 'taken_at_timestamp') ?? at(node, 'date'),
    children: nodesOf(at(node, 'edge_sidecar_to_children')).map(legacyMedia),
    likes: at(node, 'edge_media_preview_like', 'count') ?? at(node, 'edge_liked_by', 'count'),
    countsHidden: hiddenOf(at(node, hiddenFlag)),
    comments: ['edge_media_to_parent_comment', 'edge_media_to_comment', 'edge_media_preview_comment'].map(
      (edge) => at(node, edge, 'count'),
    ),
    // Listings show 0 for new videos, too, so 0 means unknown.
    views: [at(node, 'video_play_count'), views === 0 ? undefined : views],
    paidPartnership: at(node, 'is_paid_partnership'),
    sponsors: nodesOf(at(node, 'edge_media_to_sponsor_user')),
    username: at(node, 'owner', 'username'),
    ownerId: at(node, 'owner', 'id'),
    ownerName: at(node, 'owner', 'full_name'),
    coauthors: listAt(node, 'coauthor_producers').map((user) => at(user, 'username')),
  };
}

/** A post, or the platform's message for one it withholds by country or age. */
export type PostOrGate = { readonly post: RawPost } | { readonly gate: string; readonly shortcode: unknown };

function ungatedPost(outer: unknown): PostOrGate | undefined {
  const media = at(outer, 'if_not_gated_logged_out');
  if (media === undefined) return undefined;
  if (media !== null) return { post: polarisPost(media) };
  const ruling = at(outer, 'gating_ruling');
  const words = [at(ruling, 'title'), at(ruling, 'description')].filter((text) => typeof text === 'string');
  return {
    gate: words.join(': '),
    shortcode: at(outer, 'code') ?? shortcodeOfId(idOrNull(at(outer, 'pk')) ?? ''),
  };
}

function firstItem(items: unknown): PostOrGate | undefined {
  const first = at(items, 0);
  return first === undefined || first === null ? undefined : { post: itemPost(first) };
}

/** Finds a post. Its page also contains the owner's other posts, under the post's own user. */
export const postSubject: Subject<PostOrGate> = {
  hint: 'if_not_gated_logged_out',
  nameOf: (media) => ('post' in media ? media.post.shortcode : media.shortcode),
  roots: [
    ['xig_polaris_media', ungatedPost],
    ['xdt_api__v1__media__shortcode__web_info', (info) => firstItem(at(info, 'items'))],
    ['xdt_shortcode_media', (media) => ({ post: legacyPost(media) })],
    ['shortcode_media', (media) => ({ post: legacyPost(media) })],
    ['items', firstItem],
    [
      'media',
      (media) =>
        at(media, 'code') === undefined && at(media, 'shortcode') === undefined
          ? undefined
          : { post: legacyPost(media) },
    ],
  ],
};
