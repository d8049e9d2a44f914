import { endpoints } from '../../../lib/endpoints.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';
import { answerLifetimeMs, maySee, type RecentAnswer, type RecentAnswers } from './recent-answers.js';

const kind = 'answer';
/** Characters per answer, and answers per account: together no more than memory would hold. */
const maxCharacters = 4 * 1024 * 1024;
const maxOfAccount = 50;
/** Samples returned to all callers without a key together. */
const maxAnonymous = 1_000;

type AnswerText = Omit<RecentAnswer, 'endpoint'> & { readonly endpoint: string };

/** Recent answers, shared by all servers of a database. */
export class SharedAnswers implements RecentAnswers {
  readonly #texts: ExpiringStore;

  constructor(texts: ExpiringStore) {
    this.#texts = texts;
  }

  async add({ endpoint, answer, account, demo, edition }: RecentAnswer): Promise<void> {
    if (answer.json.length > maxCharacters) return;
    const text: AnswerText = { endpoint: endpoint.path, answer, account, demo, edition };
    const id = answer.meta.request_id;
    const about = { kind, id, owner: account ?? '', lifetimeMs: answerLifetimeMs };
    // It can be requested again if it cannot be stored.
    const most = account === null ? maxAnonymous : maxOfAccount;
    await this.#texts.put({ ...about, value: JSON.stringify(text) }, most).catch(() => undefined);
  }

  async find(requestId: string, account: string | null): Promise<RecentAnswer | undefined> {
    const storedText = await this.#texts.find(kind, requestId);
    if (storedText === undefined) return undefined;
    const text = JSON.parse(storedText.value) as AnswerText;
    const endpoint = endpoints.find(({ path }) => path === text.endpoint);
    return endpoint !== undefined && maySee(text, account) ? { ...text, endpoint } : undefined;
  }
}
