import { createHash } from 'node:crypto';
import { script, style } from './asset-texts.js';

/** A file that pages load. */
interface Asset {
  /**
   * Its name contains a digest of its content, so that a browser may cache it forever and never combines an old file
   * with a new page.
   */
  readonly address: string;
  readonly type: string;
  readonly content: string;
}

function asset(stem: string, ending: string, type: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { address: `/assets/${stem}-${digest}.${ending}`, type: `${type}; charset=utf-8`, content };
}

/** The style sheet and the script of every page. */
export const assets = {
  style: asset('style', 'css', 'text/css', style),
  script: asset('script', 'js', 'text/javascript', script),
};
