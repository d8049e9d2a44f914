import { existsSync } from 'node:fs';
import path from 'node:path';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { parseParams } from '../../lib/params/parse.js';
import type { Json } from '../../lib/read/json.js';
import { casesOf } from '../../lib/samples.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { stoppedClock } from '../support/cases.js';
import { fixturesOf } from '../support/fixtures.js';
import { altered } from '../support/knockout.js';

/** A page that a subject's answer was read from. */
export interface SubjectPage {
  readonly url: string;
  readonly text: string;
}

/** A question, the pages that answer it, and what they become as they are. */
export interface Subject {
  readonly endpoint: Endpoint;
  readonly name: string;
  /** The query. */
  readonly identity: Readonly<Record<string, Json>>;
  readonly limit: number;
  open(): PageSource;
  /** Every page that was read for the first page of the answer, in order. */
  readonly pages: readonly SubjectPage[];
  /** The first page of the answer. */
  readonly data: Json;
  /** All that the pages of the answer hold. */
  readonly all: Json;
}

type UnreadSubject = Pick<Subject, 'endpoint' | 'name' | 'identity' | 'limit' | 'open'>;

const mostPages = 20;

/** The first page of the answer, from pages that pass through `change` on their way. */
export async function answerOf(
  subject: Pick<Subject, 'endpoint' | 'identity' | 'limit' | 'open'>,
  change: (text: string, url: string, index: number) => string,
): Promise<Json> {
  const { endpoint, identity, limit } = subject;
  let index = 0;
  const source = altered(subject.open(), (text, url) => {
    index += 1;
    return change(text, url, index - 1);
  });
  const { answer } = await fetchAnswer(
    { endpoint, identity, position: firstPosition, limit },
    source,
    stoppedClock,
  );
  return JSON.parse(answer.data) as Json;
}

/** Everything that the pages of an answer hold, as far as they lead. */
async function allOf({ endpoint, identity, limit, open }: UnreadSubject, first: Json): Promise<Json> {
  const source = open();
  const all: Json[] = [];
  let place = firstPosition;
  try {
    while (all.length < mostPages) {
      const { answer } = await fetchAnswer(
        { endpoint, identity, position: place, limit },
        source,
        stoppedClock,
      );
      all.push(JSON.parse(answer.data) as Json);
      if (answer.next === null) break;
      place = { position: answer.next as Json, seen: [...place.seen, ...answer.prints] };
    }
  } catch {
    // The fixtures of some cases end with a refusal.
  }
  return [first, ...all].flat();
}

async function read(unread: UnreadSubject): Promise<Subject> {
  const pages: SubjectPage[] = [];
  const data = await answerOf(unread, (text, url) => {
    pages.push({ url, text });
    return text;
  });
  return { ...unread, pages, data, all: await allOf(unread, data) };
}

function unread(
  endpoint: Endpoint,
  name: string,
  params: Readonly<Record<string, unknown>>,
  folder: string,
  routes: readonly Route[],
): UnreadSubject {
  const limit = typeof params.limit === 'number' ? params.limit : (endpoint.page?.max ?? 1);
  const identity = endpoint.identify(parseParams(endpoint, params));
  return { endpoint, name, identity, limit, open: () => routeSource(folder, routes) };
}

/** The cases of `fixtures/` that are answered, those made of captures included. */
async function fixtureSubjects(endpoint: Endpoint): Promise<UnreadSubject[]> {
  const folder = fixturesOf(endpoint);
  const cases = (await casesOf(endpoint)).map((one) => ({ one, from: folder }));
  const captured = path.join(folder, 'captures');
  const more = existsSync(captured)
    ? (await casesOf({ path: `${endpoint.path}/captures` as Endpoint['path'] })).map((one) => ({
        one,
        from: captured,
      }))
    : [];
  return [...cases, ...more]
    .filter(({ one }) => one.expect !== undefined)
    .map(({ one, from }) => unread(endpoint, one.name, one.params, from, one.pages));
}

/** Every answered query of an endpoint: a refused page cannot be judged. */
export async function subjectsOf(endpoint: Endpoint): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const one of await fixtureSubjects(endpoint)) {
    try {
      subjects.push(await read(one));
    } catch (error) {
      if (!(error instanceof ExtractError)) throw error;
      console.error(`${endpoint.path}, ${one.name}: left out, ${error.message}`);
    }
  }
  return subjects;
}
