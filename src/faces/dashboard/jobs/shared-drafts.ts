import type { Endpoint } from '../../../../lib/endpoint.js';
import type { ExpiringStore } from '../../../service/expiring-store/expiring-store.js';
import type { JobRequest } from '../../../service/jobs/job-request.js';
import { parseTimetable } from '../../../service/schedule/timetable.js';
import { type Draft, type Drafts, draftLifetimeMs, maxDraftsPerAccount, newDraftId } from './drafts.js';

const kind = 'draft';

/** A request in JSON form. */
type RequestText = Omit<JobRequest, 'endpoint' | 'schedule'> & {
  readonly endpoint: string;
  readonly schedule?: string;
};

function requestText(request: JobRequest | null): RequestText | null {
  if (request === null) return null;
  const { endpoint, schedule, ...rest } = request;
  return { ...rest, endpoint: endpoint.path, ...(schedule === undefined ? {} : { schedule: schedule.text }) };
}

/** Drafts shared by all servers of a database. */
export class SharedDrafts implements Drafts {
  readonly #texts: ExpiringStore;
  readonly #endpoints: readonly Endpoint[];

  constructor(texts: ExpiringStore, endpoints: readonly Endpoint[]) {
    this.#texts = texts;
    this.#endpoints = endpoints;
  }

  async add(draft: Omit<Draft, 'id'>): Promise<Draft> {
    const added = { ...draft, id: newDraftId() };
    const { request, soundRequest } = added;
    const storedDraft = {
      ...added,
      request: requestText(request),
      soundRequest: requestText(soundRequest),
    };
    await this.#texts.put(
      {
        ...{ kind, id: added.id, owner: draft.account, lifetimeMs: draftLifetimeMs },
        value: JSON.stringify(storedDraft),
      },
      maxDraftsPerAccount,
    );
    return added;
  }

  async find(account: string, id: string): Promise<Draft | undefined> {
    const entry = await this.#texts.find(kind, id);
    if (entry?.owner !== account) return undefined;
    const storedDraft = JSON.parse(entry.value) as Omit<Draft, 'request' | 'soundRequest'> & {
      readonly request: RequestText | null;
      readonly soundRequest: RequestText | null;
    };
    const [request, soundRequest] = [storedDraft.request, storedDraft.soundRequest].map((one) =>
      this.#requestOf(one),
    );
    // A server of another version may not have its endpoint.
    if (request === undefined || soundRequest === undefined) return undefined;
    return { ...storedDraft, request, soundRequest };
  }

  #requestOf(text: RequestText | null): JobRequest | null | undefined {
    if (text === null) return null;
    const endpoint = this.#endpoints.find(({ path }) => path === text.endpoint);
    if (endpoint === undefined) return undefined;
    const { schedule, name, webhookUrl, ...rest } = text;
    return {
      ...{ ...rest, name, webhookUrl, endpoint },
      schedule: schedule === undefined ? undefined : parseTimetable(schedule, rest.timezone),
    };
  }
}
