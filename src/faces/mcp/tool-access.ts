import type { Charge } from '../../../lib/ledger/ledger.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import type { Platform } from '../../../lib/platforms.js';

interface ToolCaller {
  /** Its account in the ledger. */
  readonly account: string;
  readonly key?: Charge['key'];
  /** The only platforms whose answers it may see; all if null or omitted. */
  readonly platforms?: readonly Platform[] | null;
}

interface AdmissionRequest {
  /** Null for what belongs to no platform, such as the balance. */
  readonly platform: Platform | null;
  readonly demo: boolean;
}

/** The port to the permissions of a caller. */
export interface ToolAccess {
  /**
   * Resolves with the caller; null without a key, when every call returns sample data. Throws the `authentication` and
   * `permission` errors of a key, and `rate_limited`.
   */
  admit(request: AdmissionRequest): Promise<ToolCaller | null>;
  /** Resolves with the platforms whose tools the caller sees; null for all. Does not count against a limit. */
  shownPlatforms(): Promise<readonly Platform[] | null>;
  /** How a caller who gets sample data can get live data. */
  readonly realPagesHint: string;
  /** Says who pays for the calls, and how to see the balance. */
  readonly costsHint: string;
}

export const demoAccess: ToolAccess = {
  admit: async () => null,
  shownPlatforms: async () => null,
  realPagesHint:
    'For real pages start the server as `extract mcp --account local`, which runs on this machine, free.',
  costsHint: 'Without a key, every call is a demo, which is free.',
};

export const accountCosts = 'The account of the API key pays; get_balance shows the balance.';

const realPages = 'Omit demo for the real page.';

/** The local account of this machine; `mayRunOut` if its credits are limited. */
export const localAccess = (mayRunOut: boolean): ToolAccess => ({
  admit: async () => ({ account: localAccount }),
  shownPlatforms: async () => null,
  realPagesHint: realPages,
  costsHint: mayRunOut
    ? 'Credits belong to this machine: get_balance shows the balance, and `extract usage credits add 50000` adds some.'
    : 'Credits belong to this machine: they count calls, never run out, and cost nothing.',
});

/** The holder of the key that is sent with each call. The server enforces what the key may do. */
export const remoteAccess: ToolAccess = {
  admit: async () => ({ account: 'remote' }),
  shownPlatforms: async () => null,
  realPagesHint: realPages,
  costsHint: accountCosts,
};
