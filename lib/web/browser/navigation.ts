import { ExtractError } from '../../errors/extract-error.js';
import type { Page } from '../page-source.js';
import { BrowserClosed, documentError } from './faults.js';
import { isRedirect, type OpenPage, pageFrom } from './open-page.js';

const withoutFragment = (url: string) => url.replace(/#.*/s, '');

/**
 * Opens an address. Returns the response if there is no document to wait for: a redirect that leaves the platform,
 * which is not followed, or a refusal without a body.
 */
export async function goTo(open: OpenPage, url: string, now: number): Promise<Page | null> {
  const { page, watch, limits } = open;
  const timeout = limits.documentMs;
  const options = { waitUntil: 'commit', timeout } as const;
  // Changing only the fragment requests no document.
  const stays = url.includes('#') && withoutFragment(page.url()) === withoutFragment(url);
  const going = page.goto(url, options).then(() => (stays ? page.reload(options) : null));
  try {
    await watch.race(going, timeout + 1000, 'the document');
    return null;
  } catch (error) {
    const last = watch.documents.at(-1);
    const isBare =
      /RESPONSE_CODE_FAILURE|INVALID_AUTH_CREDENTIALS/.test(String(error)) || last?.status() === 204;
    if (last !== undefined && (isRedirect(last.status()) || isBare)) {
      const answer = pageFrom(open, last, new Uint8Array(), now);
      await leaveRefusal(open);
      return answer;
    }
    if (error instanceof ExtractError || error instanceof BrowserClosed) throw error;
    watch.check();
    // The renderer may crash before the document arrives.
    if (/ERR_ABORTED/.test(String(error))) throw new BrowserClosed('The page broke down while it opened.');
    throw documentError(error, url);
  }
}

/**
 * Leaves a refusal without a body. The error page that Chromium shows instead arrives late and would interrupt the next
 * navigation. If leaving fails, the page is not reused; the refusal is returned either way.
 */
async function leaveRefusal({ page, watch, limits }: OpenPage): Promise<void> {
  const { gestureMs } = limits;
  const options = { timeout: gestureMs };
  const blank = page.goto('about:blank', options).catch(() => page.waitForURL('about:blank', options));
  await watch.race(blank, gestureMs * 2 + 1000, 'leaving a refusal').catch((cause: unknown) => {
    watch.end(new BrowserClosed('The page stood still at a refusal.', { cause }));
  });
}
