import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { type Clock, elapsed } from '../../lib/runtime/clock.js';
import type { ToolServer } from './tool-server.js';

/** One client's session of the protocol. */
export interface McpSession {
  readonly id: string;
  /** Who opened it: a digest of the key, or nothing. Nobody else can use it. */
  readonly credential: string;
  /** What its limit counts by: the key, or the client's address without one. */
  readonly caller: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: ToolServer;
}

export interface SessionLimits {
  /** Sessions at once, and sessions of one caller. */
  readonly max: number;
  readonly maxPerCaller: number;
  /** Milliseconds without a request after which a session may end, and after which it ends in any case. */
  readonly idleMs: number;
}

export const defaultSessionLimits: SessionLimits = { max: 1000, maxPerCaller: 50, idleMs: 30 * 60 * 1000 };

/**
 * The sessions of a server, bounded in number and time. An idle one expires; where there are too many, the least
 * recently used one ends. A session with a call under way is never ended.
 */
export class McpSessions {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #limits: SessionLimits;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, { readonly session: McpSession; used: number }>();

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>, bounds: SessionLimits = defaultSessionLimits) {
    this.#clock = clock;
    this.#limits = bounds;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Adds a session, and ends others where there would be too many. Throws `rate_limited`, without adding it, where
   * every other one has a call under way.
   */
  add(session: McpSession): void {
    for (const { session: other, used } of this.#sessions.values()) {
      if (this.#isExpired(used) && other.server.busy === 0) this.end(other.id);
    }
    const own = [...this.#sessions.values()].filter((entry) => entry.session.caller === session.caller);
    if (own.length >= this.#limits.maxPerCaller) this.#endLeastRecentlyUsed(own);
    if (this.#sessions.size >= this.#limits.max) this.#endLeastRecentlyUsed([...this.#sessions.values()]);
    this.#sessions.set(session.id, { session, used: elapsed(this.#clock) });
  }

  /** The session of that id, which was opened with that credential, if it is still there. */
  find(id: string, credential: string): McpSession | undefined {
    const entry = this.#sessions.get(id);
    if (entry === undefined || entry.session.credential !== credential) return undefined;
    if (this.#isExpired(entry.used) && entry.session.server.busy === 0) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, { session: entry.session, used: elapsed(this.#clock) });
    return entry.session;
  }

  /** Ends a session and cancels its calls. */
  end(id: string): void {
    const entry = this.#sessions.get(id);
    this.#sessions.delete(id);
    entry?.session.server.protocol.close().catch(() => undefined);
  }

  /** Waits for calls under way, and ends every session. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()].map(({ session }) => session);
    await Promise.all(sessions.map(({ server }) => server.idle()));
    for (const { id } of sessions) this.end(id);
  }

  #isExpired(used: number): boolean {
    return elapsed(this.#clock) - used > this.#limits.idleMs;
  }

  #endLeastRecentlyUsed(entries: readonly { readonly session: McpSession }[]): void {
    const oldest = entries.find(({ session }) => session.server.busy === 0);
    if (oldest === undefined) {
      throw new ExtractError('rate_limited', 'Too many sessions are at work; end one, or wait.', {
        retryAfter: 60,
      });
    }
    this.end(oldest.session.id);
  }
}
