import type { Endpoint } from '../../../lib/endpoint.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { knockOut } from '../../support/knockout.js';
import { without } from './without.js';

await knockOut(profile as Endpoint, 'rich', {
  username: { mandatory: true, remove: without(['username']) },
  name: without(['full_name']),
  biography: without(['biography']),
  bio_links: without(['bio_links', 'external_url']),
  followers_count: without(['follower_count']),
  follows_count: without(['following_count']),
  media_count: (text) => text.replace(/<meta property="og:description"[^>]*>/, ''),
  is_verified: without(['is_verified']),
  is_private: without(['is_private']),
  is_business_account: without(['account_type', 'is_business']),
  category: without(['category', 'category_name']),
  contact_buttons: without(['should_show_public_contacts']),
});
