import type { Endpoint } from '../../../lib/endpoint.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { knockOut } from '../../support/knockout.js';
import { without } from './without.js';

await knockOut(profile as Endpoint, 'rich', {
  username: { mandatory: true, remove: without(['username']) },
  name: { remove: without(['full_name']) },
  biography: { remove: without(['biography']) },
  bio_links: { remove: without(['bio_links', 'external_url']) },
  followers_count: { remove: without(['follower_count']) },
  follows_count: { remove: without(['following_count']) },
  media_count: { remove: (text) => text.replace(/<meta property="og:description"[^>]*>/, '') },
  is_verified: { remove: without(['is_verified']) },
  is_private: { remove: without(['is_private']) },
  is_business_account: { remove: without(['account_type', 'is_business']) },
  category: { remove: without(['category', 'category_name']) },
  contact_buttons: { remove: without(['should_show_public_contacts']) },
});
