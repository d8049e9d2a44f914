import type { Clock } from '../../lib/runtime/clock.js';
import type { TransientTexts } from '../transient/transient-texts.js';
import type { McpSession, SessionLimits } from './sessions.js';

const kind = 'session';

/** Milliseconds from one look for cancelled requests to the next, and for which one is known. */
const lookEveryMs = 1_000;
const cancelMs = 10 * 60_000;
const cancelKind = 'cancelled';

/** How the client names a request: a text and a number that look alike are two. */
type RequestName = string | number;

const cancelId = (session: string, request: RequestName) => `${session} ${JSON.stringify(request)}`;

/** The message that a session began with. */
export type InitializeMessage = Readonly<Record<string, unknown>>;

/** What another server needs to go on with a session. */
interface SessionText {
  readonly credential: string;
  readonly initialize: InitializeMessage;
}

/**
 * The sessions that all servers of a database know, so that a client's requests may go to any of them. A session is
 * its first message: a server that has it not yet is told that message again.
 */
export class SharedSessions {
  readonly #texts: TransientTexts;
  readonly #limits: SessionLimits;

  constructor(texts: TransientTexts, limits: SessionLimits) {
    this.#texts = texts;
    this.#limits = limits;
  }

  /** Makes a session known. Of one caller's the least recently used make room. */
  async add(
    { id, credential, caller }: Pick<McpSession, 'id' | 'credential' | 'caller'>,
    initialize: InitializeMessage,
  ): Promise<void> {
    const text: SessionText = { credential, initialize };
    await this.#texts.put(
      { kind, id, owner: caller, value: JSON.stringify(text), lifetimeMs: this.#limits.idleMs },
      this.#limits.maxPerCaller,
    );
  }

  /** Notes a use. Resolves with false for a session that has ended, on whichever server. */
  use(id: string): Promise<boolean> {
    return this.#texts.prolong(kind, id, this.#limits.idleMs);
  }

  /** Who opened a session, and by which message; undefined unless it was that credential. */
  async find(
    id: string,
    credential: string,
  ): Promise<{ readonly caller: string; readonly initialize: InitializeMessage } | undefined> {
    const found = await this.#texts.find(kind, id);
    if (found === undefined) return undefined;
    const text = JSON.parse(found.value) as SessionText;
    return text.credential === credential ? { caller: found.owner, initialize: text.initialize } : undefined;
  }

  async end(id: string): Promise<void> {
    await this.#texts.delete(kind, id);
  }

  /** Notes that the client gave up a request of a session, for the server that is at work on it. */
  async cancel(id: string, request: RequestName): Promise<void> {
    await this.#texts.claim(cancelKind, cancelId(id, request), cancelMs);
  }

  /** Calls back, once, when the client has given up the request on another server; until `over` is aborted. */
  onCancelled(
    id: string,
    request: RequestName,
    clock: Clock,
    over: AbortSignal,
    cancelled: () => void,
  ): void {
    const look = () => {
      if (over.aborted) return;
      this.#texts.find(cancelKind, cancelId(id, request)).then(
        (found) => {
          if (found === undefined) clock.alarm(lookEveryMs, look, false);
          else if (!over.aborted) cancelled();
        },
        () => clock.alarm(lookEveryMs, look, false),
      );
    };
    clock.alarm(lookEveryMs, look, false);
  }
}
