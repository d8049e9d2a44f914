import type { Charge } from '../../../lib/ledger/ledger.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import type { Platform } from '../../../lib/platforms.js';

/** In whose name a tool call runs. */
interface ToolCaller {
  /** Its account in the ledger. */
  readonly account: string;
  readonly key?: Charge['key'];
  /** The only platforms that it may see answers of; all when null or left out. */
  readonly platforms?: readonly Platform[] | null;
}

/** The check whether a caller may make a tool call. */
interface AdmissionRequest {
  /** Null for what belongs to no platform, such as the balance. */
  readonly platform: Platform | null;
  /** The call asks for sample data. */
  readonly demo: boolean;
}

/** The port to the rights of the caller of one session. */
export interface ToolAccess {
  /**
   * In whose name the call runs; null without a key, when every call is answered with sample data. Throws the
   * `authentication` and `permission` errors of a key, and `rate_limited`.
   */
  admit(request: AdmissionRequest): Promise<ToolCaller | null>;
  /** Resolves with the platforms whose tools the caller is shown; null for all. Counts against no limit. */
  shownPlatforms(): Promise<readonly Platform[] | null>;
  /** How a caller who gets sample data can get real pages. */
  readonly realPagesHint: string;
  /** A sentence about who pays for the calls, and where the balance stands. */
  readonly costsHint: string;
}

/** Nobody has a key: everything is a demo. */
export const demoAccess: ToolAccess = {
  admit: async () => null,
  shownPlatforms: async () => null,
  realPagesHint:
    'For real pages start the server as `extract mcp --account local`, which runs on this machine, free.',
  costsHint: 'Without a key every call is a demo, which is free.',
};

/** The access of calls that an account of a server pays for. */
export const accountCosts = 'The account of the API key pays; get_balance shows what is left.';

const realPages = 'Leave demo out for the real page.';

/** The account that this machine has by itself; `mayRunOut` where its credits are fixed. */
export const localAccess = (mayRunOut: boolean): ToolAccess => ({
  admit: async () => ({ account: localAccount }),
  shownPlatforms: async () => null,
  realPagesHint: realPages,
  costsHint: mayRunOut
    ? 'The credits are those of this machine: get_balance shows what is left, and `extract credits add 50000` adds some.'
    : 'The credits are those of this machine: they count calls, never run out, and nobody pays for them.',
});

/** The holder of the key that a server gets with each call. The server refuses what the key may not do. */
export const remoteAccess: ToolAccess = {
  admit: async () => ({ account: 'remote' }),
  shownPlatforms: async () => null,
  realPagesHint: realPages,
  costsHint: accountCosts,
};
