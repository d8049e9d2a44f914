import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';

/** Maximum bytes of bodies in progress: per account, and in total. */
const maxAccountBytes = 16 * 1024 * 1024;
const maxBytes = 128 * 1024 * 1024;
/** Bytes that every account may use, whatever the others send. */
const guaranteedBytes = 256 * 1024;
/** Maximum waiting bodies per account, and milliseconds that they wait. */
const maxWaiting = 32;
const waitMs = 10_000;

const noRoomError = () =>
  new ExtractError(
    'rate_limited',
    'This account is uploading too many bytes concurrently. Send its requests one after the other.',
    { retryAfter: waitMs / 1000 },
  );

interface SizedRequest {
  readonly headers: { readonly 'content-length'?: string | undefined };
}

interface ClosingReply {
  readonly raw: { readonly destroyed: boolean; once(event: 'close', listener: () => void): unknown };
}

interface Waiter {
  readonly account: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * The bytes of large bodies being received and processed, per account and in total. A body without room is not read, so
 * it waits on the client's machine.
 */
export class PendingBodies {
  readonly #clock: Clock;
  readonly #ofAccounts = new Map<string, number>();
  #all = 0;
  #waiting: Waiter[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for room for a body of `requestedBytes`. Returns an idempotent function that releases it. Rejects
   * `rate_limited` if there is no room in time.
   */
  async take(account: string, requestedBytes: number): Promise<() => void> {
    const bytes = Math.min(requestedBytes, maxAccountBytes);
    if (this.#hasRoom(account, bytes)) this.#add(account, bytes);
    else await this.#wait(account, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(account, -bytes);
      this.#beginWaiting();
    };
  }

  /** `take` for the body of a request, released once it is answered. */
  async hold(request: SizedRequest, reply: ClosingReply, account: string): Promise<void> {
    const { 'content-length': length } = request.headers;
    const release = await this.take(account, length === undefined ? maxAccountBytes : Number(length));
    reply.raw.once('close', release);
    if (reply.raw.destroyed) release();
  }

  #hasRoom(account: string, bytes: number): boolean {
    const accountBytes = (this.#ofAccounts.get(account) ?? 0) + bytes;
    return (
      accountBytes <= guaranteedBytes || (accountBytes <= maxAccountBytes && this.#all + bytes <= maxBytes)
    );
  }

  #add(account: string, bytes: number): void {
    const accountBytes = (this.#ofAccounts.get(account) ?? 0) + bytes;
    if (accountBytes === 0) this.#ofAccounts.delete(account);
    else this.#ofAccounts.set(account, accountBytes);
    this.#all += bytes;
  }

  #wait(account: string, bytes: number): Promise<void> {
    const sameAccount = this.#waiting.filter((one) => one.account === account);
    if (sameAccount.length >= maxWaiting) throw noRoomError();
    return new Promise((resolve, reject) => {
      const disarm = this.#clock.alarm(waitMs, () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        reject(noRoomError());
      });
      const begin = () => {
        disarm();
        resolve();
      };
      const waiter: Waiter = { account, bytes, begin };
      this.#waiting.push(waiter);
    });
  }

  /** Admits waiting bodies that have room now, in order of arrival. */
  #beginWaiting(): void {
    this.#waiting = this.#waiting.filter(({ account, bytes, begin }) => {
      if (!this.#hasRoom(account, bytes)) return true;
      this.#add(account, bytes);
      begin();
      return false;
    });
  }
}
