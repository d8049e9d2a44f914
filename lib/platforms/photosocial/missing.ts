import type { Missing } from './outcome.js';
import { isPostAt, isProfileAt, isTagAt } from './urls.js';

export const missingProfile = (username: string): Missing => ({
  code: 'profile_not_found',
  message: `The account ${username} does not exist or was removed.`,
  isAt: (address) => isProfileAt(address, username),
});

export const missingPost = (shortcode: string): Missing => ({
  code: 'post_not_found',
  message: `The post ${shortcode} does not exist, was removed, or belongs to a private account.`,
  isAt: (address) => isPostAt(address, shortcode),
});

export const missingTag = (tag: string): Missing => ({
  code: 'hashtag_not_found',
  message: `The platform keeps no page for “${tag}”.`,
  isAt: (address) => isTagAt(address, tag),
});
