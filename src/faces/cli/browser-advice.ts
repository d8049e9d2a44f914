import { mayPassInBrowser } from '../../../lib/errors/catalogue.js';
import { type Context, configOf } from './context.js';

/**
 * Advises to install a browser if it may receive what was refused. Empty if no code is such a refusal, if there is a
 * browser or none is wanted, or if a server makes the requests.
 */
export async function browserAdvice(context: Context, codes: readonly string[]): Promise<string> {
  if (!codes.some(mayPassInBrowser)) return '';
  const config = await configOf(context);
  if (config.baseUrl !== undefined || config.browser !== 'auto') return '';
  const { findBrowser } = await import('../../../lib/web/browser/find.js');
  const browser = findBrowser(config);
  return browser.path === null ? `A browser may work. ${browser.missing}` : '';
}
