import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';

export interface RecentAnswer {
  readonly endpoint: Endpoint;
  readonly answer: Answer;
  /** The account that paid; null for a demo without a key. */
  readonly account: string | null;
  readonly demo: boolean;
  /** The edition of the suppression list under which it was returned. */
  readonly edition: string;
}

export const answerLifetimeMs = 60 * 60 * 1000;

/** The port to recent answers, so that what did not fit can be looked up without another charge. */
export interface RecentAnswers {
  /** Adds an answer, if there is room. Never rejects, because the answer has already been returned. */
  add(recent: RecentAnswer): Promise<void>;
  /** Returns the answer to that request if it is still stored and `account` may see it. */
  find(requestId: string, account: string | null): Promise<RecentAnswer | undefined>;
}

/** Every caller may see sample data; any other answer belongs to the account that paid for it. */
export const maySee = (recent: Pick<RecentAnswer, 'account' | 'demo'>, account: string | null) =>
  recent.demo || recent.account === account;
