import type { Charge } from '../../lib/ledger/ledger.js';
import { localAccount } from '../../lib/ledger/local-account.js';
import type { Platform } from '../../lib/web/page-source.js';

/** In whose name a tool call runs. */
interface ToolCaller {
  /** Its account in the ledger. */
  readonly account: string;
  readonly key?: Charge['key'];
}

/** What a tool call is about, as far as it matters to who may make it. */
interface Errand {
  /** Null for what belongs to no platform, such as the balance. */
  readonly platform: Platform | null;
  /** Sample data is asked for. */
  readonly demo: boolean;
}

/** The port to who calls the tools of one session. */
export interface ToolAccess {
  /**
   * In whose name the errand is done; null without a key, when every call is answered with sample data. Rejects with the
   * `authentication` and `permission` errors of a key, and `rate_limited`.
   */
  admit(errand: Errand): Promise<ToolCaller | null>;
  /** What somebody whose calls are answered with sample data can do to have real ones. */
  readonly wayOut: string;
}

/** Nobody has a key: everything is a demo. */
export const demoAccess: ToolAccess = {
  admit: async () => null,
  wayOut:
    'For real pages start the server as `extract mcp --account local`, which spends the credits of this machine’s account.',
};

const realPages = 'Leave demo out for the real page.';

/** The account that this machine has by itself. */
export const localAccess: ToolAccess = {
  admit: async () => ({ account: localAccount }),
  wayOut: realPages,
};

/** Whoever the key is of that a server is asked with; the server knows, and refuses what the key may not do. */
export const remoteAccess: ToolAccess = {
  admit: async () => ({ account: 'remote' }),
  wayOut: realPages,
};
