/** Selectors on posts. Company cards and post pages: 2024-10, 2025-07, 2026-09; profile lists: 2024, 2026-07. */

/** Removed from every post before it is parsed: menus, reaction pictures, drawings. */
const furniture = [
  'div.contextual-sign-in-modal',
  'div.modal',
  'div.sign-in-modal',
  'div[data-test-id=main-feed-activity-card__ellipsis-menu]',
  'div[data-test-id=profile-feed-activity-card__ellipsis-menu]',
  'ul.collapsible-dropdown__list',
  'div.reactions-menu',
  'div.vjs-control-bar',
  'template',
  'code',
  'svg',
  'icon',
] as const;

/** Posts on a company's page, and in the fragments that continue it. */
export const feedSections = {
  keep: {
    ld: 'script[type=application/ld+json]',
    top: 'h1.top-card-layout__title',
    updates: 'section[data-test-id=updates]',
  },
  drop: furniture,
} as const;
export const feedFragment = { keep: { item: 'li' }, drop: furniture } as const;

/** The post of a post's own page is the first; the others are “more relevant posts”. */
export const postSections = {
  keep: { ld: 'script[type=application/ld+json]', card: 'article.main-feed-activity-card' },
  drop: furniture,
} as const;

/** Posts on a person's page: tabs (2026-07) or a list (2024, sometimes still in 2026-07). */
export const activitySections = {
  keep: {
    ld: 'script[type=application/ld+json]',
    missing: 'div.page-not-found',
    missingSection: 'section.page-not-found',
    top: 'h1.top-card-layout__title',
    // The other panels hold other people's posts: comments on them, reactions to them.
    tab: 'div.tab__panel.posts',
    list: 'ul[data-test-id=activities__list]',
  },
  drop: furniture,
} as const;

export const card = {
  article: 'article.main-feed-activity-card',
  link: 'a[data-id=main-feed-card__full-link], a.main-feed-card__overlay-link',
  /** The repost's line, else the author's: the first links of every card (2023-04 to 2025-08). */
  owner: 'a[href*="_feed-reaction-header"], a[href*="_feed-actor-"]',
  text: '[data-test-id=main-feed-activity-card__commentary]',
  quoted: '[data-test-id=feed-reshare-content__commentary]',
  images: '[data-test-id=feed-images-content] img',
  /** “+15”: pictures missing from the card. */
  hiddenImages: '[data-test-id=feed-images-content__overlay]',
  video: '[data-test-id=feed-native-video-content]',
  /** On the video in the page as sent; on the box around it in a page saved by a browser. */
  videoSources: 'video[data-sources], [data-sources]',
  document: 'iframe[data-native-document-config]',
  linked: 'a[data-test-id=article-content]',
  linkedTitle: '[data-test-id=article-content__title]',
  /** A link (2024), or a box whose headings contain the link (2025-10). */
  foreignVideo: '[data-test-id=ingested-content-summary-external-video-content]',
  foreignVideoTitle: '[data-test-id=ingested-content-summary-external-video-content__headings]',
} as const;

/** Counts, the same on cards and in tabs. A zero count has no element; the bar below is always there. */
export const social = {
  reactions:
    '[data-test-id=social-actions__reactions], [data-tracking-control-name$="_social-actions-reactions"]',
  reactionText: '[data-test-id=social-actions__reaction-count]',
  kind: 'img[data-reaction-type]',
  comments:
    '[data-test-id=social-actions__comments], [data-tracking-control-name$="_social-actions-comments"]',
  bar: '.social-action-bar',
} as const;

export const tab = {
  items: '.slide-list__item',
  /** A card inside a card is the post that it quotes. */
  nested: '.profile-activity-card .profile-activity-card',
  link: 'a.base-card__full-link[href*="/posts/"], a.base-card__full-link[href*="/feed/update/"]',
  text: '.see-more-text',
  content: '.profile-activity-content-card',
  contentLink: 'a.base-card__full-link',
  contentTitle: '.content-title',
  image: 'img',
  play: '.activity-video-play',
} as const;

export const list = {
  items: '.base-main-card',
  link: 'a.base-card__full-link',
  /** Cut off after some 150 characters. */
  text: 'h3',
  image: 'img.main-activity-card__img:not(.main-activity-card__img--ghost)',
  play: '.base-main-card__play-button',
} as const;
