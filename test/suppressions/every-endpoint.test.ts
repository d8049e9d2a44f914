import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCallRequest } from '../../lib/call/call-request.js';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import { endpoints } from '../../lib/endpoints.js';
import type { ItemAuthor, PageItemSource } from '../../lib/read/item-source.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf, identityOf } from '../../lib/samples.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../lib/suppressions/suppressed-subjects.js';
import { routeSource } from '../../lib/web/routes.js';
import { stoppedClock } from '../support/cases.js';

const plain = (name: string) => name.normalize('NFC').trim().toLowerCase();

/** The ways in which people name the author of an item. */
const namesOf = (platform: string, { id, name, url }: ItemAuthor) =>
  [url, id === null ? null : `${platform}:${id}`, name === null ? null : `${platform}:name:${name}`].filter(
    (one): one is string => one !== null,
  );

const suppressed = (text: string) => new SuppressedSubjects([parseSubject(text)]);

for (const endpoint of endpoints) {
  const cases = (await casesOf(endpoint)).filter(({ expect }) => expect !== undefined);

  describe(`${endpoint.path}`, () => {
    test('is not asked for a suppressed subject, however it is named', () => {
      if (endpoint.exactlyOne === null) return;
      for (const one of cases) {
        const request = parseCallRequest(endpoint, one.params);
        const { url, place_id, username, vanity_name, profile_url, company_url, shortcode, id } =
          one.params as Record<string, string>;
        const kind = endpoint.path === 'pronetwork/company' ? 'company' : 'in';
        const word =
          place_id ??
          (username && `@${username}`) ??
          (vanity_name && `${kind}/${vanity_name}`) ??
          (shortcode && `p/${shortcode}`) ??
          id;
        const text = url ?? profile_url ?? company_url ?? `${endpoint.platform}:${word}`;
        let subject: ReturnType<typeof parseSubject>;
        try {
          subject = parseSubject(text);
        } catch {
          // A short link, whose subject is unknown until it is resolved.
          assert.match(text, /goo\.gl|vm\.tiktok|\/t\/|share|g\.co|g\.page/);
          continue;
        }
        const list = new SuppressedSubjects([subject]);
        assert.throws(() => list.refuse(request), { code: 'subject_suppressed' }, text);
        suppressed(`${endpoint.platform}:name:somebody else`).refuse(request);
      }
    });

    test('gives nothing of a suppressed author, and leaves the rest as it is', async () => {
      for (const one of cases) {
        const identity = identityOf(endpoint, one);
        const pages = routeSource(sampleFiles(endpoint.path), one.pages);
        const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
        const request = { endpoint, identity, position: firstPosition, limit };
        const { answer } = await fetchAnswer(request, pages, stoppedClock);
        const sources = JSON.parse(answer.sources ?? '[]') as PageItemSource[];
        const authors = sources.flatMap(({ author }) => author ?? []);
        for (const name of new Set(authors.flatMap((author) => namesOf(endpoint.platform, author)))) {
          const list = suppressed(name);
          const isTheirs = ({ author }: PageItemSource) =>
            author !== null &&
            namesOf(endpoint.platform, author).some((ownName) => plain(ownName) === plain(name));
          if (!endpoint.many) {
            assert.throws(() => list.leaveOut(endpoint, answer), { code: 'subject_suppressed' }, name);
            continue;
          }
          const rest = list.leaveOut(endpoint, answer);
          const remaining = JSON.parse(rest.sources ?? '[]') as PageItemSource[];
          const items = JSON.parse(answer.data) as unknown[];
          const places = sources.flatMap((source, place) => (isTheirs(source) ? [] : [place]));
          assert.deepEqual(rest.places, places, name);
          const kept = places.map((place) => [sources[place], items[place]]);
          assert.deepEqual(
            kept,
            (JSON.parse(rest.data) as unknown[]).map((item, at) => [remaining[at], item]),
          );
          assert.equal(remaining.length, kept.length);
          assert.deepEqual(rest.prints, answer.prints, 'no page gives an item again');
          assert.equal(list.leaveOut(endpoint, answer), rest, 'the work is done once');
          assert.equal(list.leaveOut(endpoint, rest), rest);
        }
        const others = suppressed(`${endpoint.platform}:name:somebody else`);
        assert.equal(others.leaveOut(endpoint, answer), answer);
      }
    });
  });
}
