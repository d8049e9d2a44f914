import type { Access, RequestIdentity } from '../../service/limits/access.js';
import { accountCosts, demoAccess, type ToolAccess } from './tool-access.js';

/** A tool call has no response headers to report its limits in. */
const noHeaders = { header: () => undefined };

/**
 * Authorises calls with the sender's key, checked with each call, so that a revoked key or an unconfirmed address is
 * reported. Without a key every call is a demo, limited per address.
 */
export function keyAccess(keys: Access, sender: RequestIdentity): ToolAccess {
  const hasKey = sender.headers.authorization !== undefined;
  return {
    admit: async ({ platform, demo }) =>
      demo || !hasKey
        ? keys.admitDemo(sender, noHeaders)
        : keys.admit(sender, noHeaders, platform ?? undefined),
    shownPlatforms: () => keys.platformsOf(sender),
    realPagesHint: hasKey
      ? 'Omit demo for the real page.'
      : 'For real pages, configure the server with an API key: the header “Authorization: Bearer <API_KEY>”.',
    costsHint: hasKey ? accountCosts : demoAccess.costsHint,
  };
}
