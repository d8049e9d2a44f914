import { createHash } from 'node:crypto';
import { script, style } from './asset-texts.js';

interface Asset {
  /**
   * Contains a digest of the content, so that browsers can cache the file forever and never combine an old one with a
   * new page.
   */
  readonly address: string;
  readonly type: string;
  readonly content: string;
}

function asset(stem: string, ending: string, type: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { address: `/assets/${stem}-${digest}.${ending}`, type: `${type}; charset=utf-8`, content };
}

export const assets = {
  style: asset('style', 'css', 'text/css', style),
  script: asset('script', 'js', 'text/javascript', script),
};
