import type { Platform } from '../../../lib/platforms.js';
import type { KeyOwner } from '../../service/accounts/accounts.js';
import { accountCosts, demoAccess, type ToolAccess } from './tool-access.js';

/** The sender of a tool call: its key and its address. */
export interface ToolSender {
  readonly headers: { readonly authorization?: string | undefined };
  readonly ip: string;
}

interface RateLimitHeaders {
  header(name: string, value: string): unknown;
}

/** The port to the check of keys and rate limits, implemented by the server's `Access`. */
export interface KeyCheck {
  /** Resolves with the holder of the sender's key. Throws the errors of a key, and `rate_limited`. */
  admit(sender: ToolSender, headers: RateLimitHeaders, platform?: Platform): Promise<KeyOwner>;
  /** Like `admit`, for sample data, which needs no key: null without one. Throws `rate_limited`. */
  admitDemo(sender: ToolSender, headers: RateLimitHeaders): Promise<KeyOwner | null>;
  /** Counts a message that calls no tool, by account or address, and waits for its turn. Rejects `rate_limited`. */
  admitMessage(sender: ToolSender): Promise<void>;
  /** Returns the platforms that the sender's key is limited to; null without a limit or a valid key. */
  platformsOf(sender: ToolSender): Promise<readonly Platform[] | null>;
}

/** A tool call has no response headers to report its limits in. */
const noHeaders: RateLimitHeaders = { header: () => undefined };

/**
 * Authorises calls with the sender's key, checked with each call, so that a revoked key or an unconfirmed address is
 * reported. Without a key every call is a demo, limited per address.
 */
export function keyAccess(keys: KeyCheck, sender: ToolSender): ToolAccess {
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
