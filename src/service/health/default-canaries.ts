import * as z from 'zod';
import { type Canary, canarySchema } from './canary.js';

const landmark = 'ChIJLU7jZClu5kcR4PcOOO6p3I0';
const landmarkSource =
  'The Eiffel Tower: built in 1889, has several hundred thousand ratings, and a permanent ID, as the platform documents.';

const agency =
  'the account of NASA, which nasa.gov lists among its own: a public body that has posted for years';
const agencyPost = 'https://www.tiktok.com/@nasa/video/7681723633164717325';

/**
 * The default canaries (chosen 2026-11), one per endpoint in table order: landmarks, public bodies, a publisher, and
 * one public person whose page visitors can see. Minimums are far below the real numbers. EXTRACT_CANARIES replaces
 * them.
 */
export const defaultCanaries: readonly Canary[] = z.array(canarySchema).parse([
  {
    endpoint: 'maps/places',
    params: { query: 'Eiffel Tower, Paris', language: 'en' },
    filled: ['formatted_address', 'location', 'categories'],
    match: { place_id: { pattern: '^ChIJ' }, name: { pattern: 'Eiffel' } },
    source: landmarkSource,
  },
  {
    endpoint: 'maps/place',
    params: { place_id: landmark, language: 'en' },
    filled: ['formatted_address', 'location', 'rating', 'user_ratings_total', 'website', 'categories'],
    match: { place_id: landmark, name: { pattern: 'Eiffel' }, user_ratings_total: { min: 100_000 } },
    source: landmarkSource,
  },
  {
    endpoint: 'maps/reviews',
    params: { place_id: landmark, limit: 10 },
    filled: ['text', 'language'],
    match: { 'author.name': { pattern: '.' }, rating: { min: 1 } },
    items: 5,
    source: landmarkSource,
  },
  {
    endpoint: 'maps/photos',
    params: { place_id: landmark, limit: 10 },
    filled: ['width', 'height'],
    match: { url: { pattern: '^https://' } },
    items: 5,
    source: landmarkSource,
  },
  {
    endpoint: 'pronetwork/profile',
    params: { vanity_name: 'williamhgates' },
    filled: ['headline', 'about', 'follower_count'],
    match: { full_name: { pattern: 'Gates' }, follower_count: { min: 1_000_000 } },
    source: 'A public figure whose page the platform shows to visitors, recorded in 2026-07.',
  },
  {
    endpoint: 'pronetwork/company',
    params: { vanity_name: 'nasa' },
    filled: ['description', 'website', 'industry', 'headquarters', 'follower_count'],
    match: { name: { pattern: 'NASA' }, follower_count: { min: 1_000_000 } },
    source: `The page of ${agency}.`,
  },
  {
    endpoint: 'pronetwork/posts',
    params: { company_url: 'https://www.linkedin.com/company/nasa/', limit: 5 },
    filled: ['text'],
    source: `The posts of ${agency}.`,
  },
  {
    endpoint: 'pronetwork/jobs',
    params: { query: 'engineer', location: 'Germany', limit: 3 },
    filled: ['title', 'company', 'description'],
    source: 'A common title in a large country: such jobs are posted every day.',
  },
  {
    endpoint: 'photosocial/profile',
    params: { username: 'nasa' },
    filled: ['name', 'biography', 'followers_count', 'media_count'],
    match: { username: 'nasa', followers_count: { min: 10_000_000 } },
    source: `The profile of ${agency}.`,
  },
  {
    endpoint: 'photosocial/posts',
    params: { username: 'nasa', limit: 6 },
    filled: ['caption', 'media_url', 'timestamp'],
    match: { username: 'nasa' },
    source: `The posts of ${agency}.`,
  },
  {
    endpoint: 'photosocial/post',
    params: { shortcode: 'DdG4RIxIPyf' },
    filled: ['caption', 'like_count'],
    match: { shortcode: 'DdG4RIxIPyf', username: 'natgeo' },
    source:
      'A reel of National Geographic, a publisher whose posts have stayed online for years; recorded in 2026-10.',
  },
  {
    endpoint: 'photosocial/comments',
    params: { shortcode: 'DdG4RIxIPyf', limit: 4 },
    filled: ['text'],
    match: { username: { pattern: '.' } },
    source: 'The same reel, which has hundreds of comments.',
  },
  {
    endpoint: 'photosocial/hashtag',
    params: { tag: 'nature', limit: 6 },
    filled: ['media_url'],
    match: { permalink: { pattern: '^https://' } },
    source: 'One of the most used hashtags: it always has top posts.',
  },
  {
    endpoint: 'shortvideo/profile',
    params: { username: 'nasa' },
    filled: ['avatar_url', 'bio_description'],
    match: { username: 'nasa', follower_count: { min: 100_000 }, video_count: { min: 10 } },
    source: `The profile of ${agency}; recorded in 2026-09.`,
  },
  {
    endpoint: 'shortvideo/videos',
    params: { username: 'nasa', limit: 2 },
    filled: ['video_description', 'cover_image_url', 'view_count'],
    match: { id: { pattern: '^\\d+$' } },
    source: `The newest videos of ${agency}; recorded in 2026-09.`,
  },
  {
    endpoint: 'shortvideo/video',
    params: { url: agencyPost },
    filled: ['video_description', 'create_time', 'view_count', 'like_count'],
    match: { id: '7681723633164717325', view_count: { min: 1000 } },
    source: `A post of ${agency}; recorded in 2026-09.`,
  },
  {
    endpoint: 'shortvideo/comments',
    params: { url: agencyPost, limit: 10 },
    filled: ['text', 'username'],
    match: { video_id: '7681723633164717325' },
    source: 'The comments under the same post.',
  },
  {
    endpoint: 'shortvideo/search',
    params: { query: 'nasa', limit: 3 },
    filled: ['cover_image_url'],
    match: { id: { pattern: '^\\d+$' } },
    source: 'A word that occurs in new posts every day.',
  },
] satisfies z.input<typeof canarySchema>[]);
