import { resolveReferences } from '../../read/html-text.js';
import type { Page } from '../../web/page-source.js';
import { countOf, profileCountsIn, roundedFrom } from './head-counts.js';
import { utf8Of } from './page-data.js';

/** Bytes around the description's name that contain the complete element. */
const reach = 2000;

/**
 * Returns the number of posts in a profile page's description (“291M Followers, 269 Following, 1,667 Posts - … from
 * Name (@handle)”, 2026-10, in English as requested). Null for no number, a rounded number or another account.
 */
export function postCountOf(page: Page, username: string): number | null {
  const bytes = utf8Of(page);
  const start = bytes.indexOf('og:description');
  if (start < 0) return null;
  const before = bytes.toString('utf8', Math.max(0, start - reach), start);
  const behind = bytes.toString('utf8', start, start + reach);
  const element =
    before.slice(Math.max(0, before.lastIndexOf('<'))) + behind.slice(0, Math.max(0, behind.indexOf('>')));
  const description = resolveReferences(/\scontent=(["'])(.*?)\1/s.exec(element)?.[2] ?? '');
  if (!description.toLowerCase().includes(`(@${username})`)) return null;
  const posts = profileCountsIn(description)?.posts ?? '';
  const count = /\d posts?$/i.test(posts) ? countOf(posts, 'posts') : null;
  return count !== null && count < roundedFrom ? count : null;
}
