import type { Access, RequestIdentity } from '../server/access.js';
import type { ToolAccess } from './tool-access.js';

/** There is no answer of its own into which the headers of a tool call's limits could go. */
const nowhere = { header: () => undefined };

/**
 * Calls under the key that `sender` shows, checked anew for each: a key that was revoked or an address that was not
 * confirmed is told by the tool. Without a key everything is a demo, so many a minute from one address.
 */
export function keyAccess(access: Access, sender: RequestIdentity): ToolAccess {
  const hasKey = sender.headers.authorization !== undefined;
  return {
    admit: ({ platform, demo }) =>
      demo || !hasKey
        ? access.admitDemo(sender, nowhere)
        : access.admit(sender, nowhere, platform ?? undefined),
    wayOut: hasKey
      ? 'Leave demo out for the real page.'
      : 'For real pages set the server up with an API key: the header “Authorization: Bearer <API_KEY>”.',
  };
}
