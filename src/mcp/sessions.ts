import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { ToolServer } from './tool-server.js';

/** One client's talk with the server. */
export interface Session {
  readonly id: string;
  /** Who opened it: a digest of the key, or nothing. Nobody else can use it. */
  readonly credential: string;
  /** Whom it counts against: the key, or the address of somebody without one. */
  readonly caller: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: ToolServer;
}

export interface SessionBounds {
  /** Sessions at once, and sessions of one caller. */
  readonly most: number;
  readonly mostOfCaller: number;
  /** Milliseconds without a request after which a session may end, and after which it ends in any case. */
  readonly idleMs: number;
}

export const usualBounds: SessionBounds = { most: 1000, mostOfCaller: 50, idleMs: 30 * 60 * 1000 };

/**
 * The sessions of a server, bounded in number and time. One that has been quiet for too long is gone; where there are
 * too many, the one that was quiet for longest makes room. A session with a call under way is never ended.
 */
export class Sessions {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #bounds: SessionBounds;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, { readonly session: Session; used: number }>();

  constructor(clock: Pick<Clock, 'now'>, bounds: SessionBounds = usualBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Takes a session in, and ends others where there would be too many. Throws `rate_limited`, without taking it in,
   * where every one that could go is at work.
   */
  add(session: Session): void {
    for (const { session: other, used } of this.#sessions.values()) {
      if (this.#isOver(used) && other.server.busy === 0) this.end(other.id);
    }
    const own = [...this.#sessions.values()].filter((entry) => entry.session.caller === session.caller);
    if (own.length >= this.#bounds.mostOfCaller) this.#endQuietest(own);
    if (this.#sessions.size >= this.#bounds.most) this.#endQuietest([...this.#sessions.values()]);
    this.#sessions.set(session.id, { session, used: this.#clock.now() });
  }

  /** The session of that id, which was opened with that credential, if it is still there. */
  find(id: string, credential: string): Session | undefined {
    const entry = this.#sessions.get(id);
    if (entry === undefined || entry.session.credential !== credential) return undefined;
    if (this.#isOver(entry.used) && entry.session.server.busy === 0) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, { session: entry.session, used: this.#clock.now() });
    return entry.session;
  }

  /** Ends a session; calls under way are given up. */
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

  #isOver(used: number): boolean {
    return this.#clock.now() - used > this.#bounds.idleMs;
  }

  #endQuietest(entries: readonly { readonly session: Session }[]): void {
    const quietest = entries.find(({ session }) => session.server.busy === 0);
    if (quietest === undefined) {
      throw new ExtractError('rate_limited', 'Too many sessions are at work; end one, or wait.', {
        retryAfter: 60,
      });
    }
    this.end(quietest.session.id);
  }
}
