import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';

/** An answer that was given, whole. */
export interface RecentAnswer {
  readonly endpoint: Endpoint;
  readonly answer: Answer;
  /** The account it was charged to; null for a demo without a key. */
  readonly account: string | null;
  readonly demo: boolean;
  /** The edition of the list of suppressed subjects that it was given under. */
  readonly edition: string;
}

/** Milliseconds for which an answer is kept. */
export const answerLifetimeMs = 60 * 60 * 1000;

/** The port to answers just given, so that what did not fit can be looked up without being charged again. */
export interface RecentAnswers {
  /** Adds an answer, unless there is no room for it. Never rejects: the answer was given. */
  add(recent: RecentAnswer): Promise<void>;
  /** The answer of that request if it is still there and `account` may see it. */
  find(requestId: string, account: string | null): Promise<RecentAnswer | undefined>;
}

/** Every caller may see sample data; any other answer belongs to the account that paid for it. */
export const maySee = (recent: Pick<RecentAnswer, 'account' | 'demo'>, account: string | null) =>
  recent.demo || recent.account === account;
