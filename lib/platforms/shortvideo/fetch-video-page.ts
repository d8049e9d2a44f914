import { textOrNull } from '../../read/convert.js';
import { at, scriptById } from '../../read/json.js';
import { objectOfKey } from '../../read/json-cut.js';
import type { Page, PageSession } from '../../web/page-source.js';
import { inVideoPage, videoPage } from './page-requests.js';
import { home, videoIdOfUrl } from './urls.js';

const redirect = 'webapp.browserRedirect-context';

/** Returns the address to which a video's page redirects by script, if it is another page of the same video. */
function redirectOf(page: Page, id: string): string | null {
  if (!Buffer.from(page.body.buffer, page.body.byteOffset, page.body.byteLength).includes(redirect))
    return null;
  const script = scriptById(page.text(), '__UNIVERSAL_DATA_FOR_REHYDRATION__');
  if (script === null || inVideoPage.some((scope) => script.includes(scope))) return null;
  const target = textOrNull(at(objectOfKey(Buffer.from(script), redirect), 'browserRedirectUrl'));
  const url = target === null ? null : URL.parse(target, home);
  return url !== null && url.href !== page.url && videoIdOfUrl(url.href) === id ? url.href : null;
}

/**
 * Fetches the page of a video. For a photo post, some visitors get a page that only contains another address,
 * /@handle/photo/… (2024 to 2026). That address is followed once, as the page's script does. `opened` is the page, if
 * already fetched.
 */
export async function fetchVideoPage(
  id: string,
  session: PageSession,
  firstPage: Page | null = null,
): Promise<Page> {
  const page = firstPage ?? (await session.fetch(videoPage(id)));
  const url = redirectOf(page, id);
  return url === null ? page : session.fetch({ url, browser: { holds: inVideoPage } });
}
