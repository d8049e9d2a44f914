import { refusal } from '../../../errors/outcomes.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import { headOfPage, postOfHead, profileOfHead } from '../head-answer.js';
import { roundedOf } from '../head-counts.js';
import { sourceOfAccount, sourceOfPost } from '../item-sources.js';
import { missingPost, missingProfile } from '../missing.js';
import type { PhotosocialPost, PhotosocialProfile } from '../objects.js';
import type { Account, Post } from '../subject.js';
import { postUrl, profileUrl } from '../urls.js';

const head = {
  name: 'head',
  surface: 'page',
  seen: { month: '2026-03', from: ['home', 'datacentre'] },
} as const;

const tooLittle = () => refusal('subject_without_data', 'The head of the page has too few facts.');

/** The account in the head of its page, for link previews. */
export const profileHead: Route<Account, ObjectReading<PhotosocialProfile>> = {
  ...head,
  reads: 'The head of the profile page: name, part of the bio, counts that are rounded from 10,000 on.',
  fills: {
    biography: 'some',
    bio_links: 'never',
    followers_count: 'rounded',
    follows_count: 'rounded',
    media_count: 'some',
    is_verified: 'never',
    is_private: 'never',
    is_business_account: 'never',
    category: 'never',
    contact_buttons: 'never',
  },
  async read({ identity: { guest, username } }) {
    const page = headOfPage(await guest.page(profileUrl(username)), missingProfile(username));
    const data = profileOfHead(page, username);
    if (data === null) throw tooLittle();
    return { data, source: sourceOfAccount(null, username), rounded: roundedOf(data), brief: true };
  },
};

/** The post in the head of its page, for link previews. */
export const postHead: Route<Post, ObjectReading<PhotosocialPost>> = {
  ...head,
  reads: 'The head of the page of the post: caption, first picture, counts that are rounded from 10,000 on.',
  fills: {
    caption: 'some',
    hashtags: 'some',
    mentions: 'some',
    timestamp: 'never',
    media_url: 'some',
    children: 'some',
    like_count: 'rounded',
    comments_count: 'rounded',
    view_count: 'never',
    is_paid_partnership: 'never',
  },
  async read({ identity: { guest, shortcode } }) {
    const data = postOfHead(headOfPage(await guest.page(postUrl(shortcode)), missingPost(shortcode)));
    if (data === null) throw tooLittle();
    return { data, source: sourceOfPost(data), rounded: roundedOf(data), brief: true };
  },
};
