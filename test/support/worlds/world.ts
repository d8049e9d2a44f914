import type { Answers, SiteAnswer, SiteRequest } from '../browser-site.js';
import { places as maps } from './maps.js';
import { places as photosocial } from './photosocial.js';
import type { WorldName, WorldPlace } from './place.js';
import { places as pronetwork } from './pronetwork.js';
import { places as shortvideo } from './shortvideo.js';

/** Every public page of the four platforms, with its behaviour in each world. */
export const places: readonly WorldPlace[] = [...maps, ...pronetwork, ...photosocial, ...shortvideo];

const platforms = [
  { hosts: /google\.com$/, places: maps },
  { hosts: /linkedin\.com$/, places: pronetwork },
  { hosts: /instagram\.com$/, places: photosocial },
  { hosts: /tiktok\.com$/, places: shortvideo },
];

/** A request as recorded by a world. */
export interface Arrival {
  readonly request: SiteRequest;
  readonly place: WorldPlace;
  /** Milliseconds since 1970, by the clock of the test. */
  readonly at: number;
}

export interface World {
  readonly answers: Answers;
  readonly arrivals: Arrival[];
  /** Requests that no page of the world answers, or for unknown subjects: a gap in the world. */
  readonly unknown: string[];
}

/** A world in which each place answers or refuses as the evidence says. `instead` replaces some of the answers. */
export function world(name: WorldName, now: () => number, instead: Answers = () => undefined): World {
  const arrivals: Arrival[] = [];
  const unknown: string[] = [];
  const thinOnes = new Map<string, number>();

  function answerOf(place: WorldPlace, request: SiteRequest): SiteAnswer | undefined {
    const behaviour = place[name];
    if (typeof behaviour === 'object') return behaviour.refuses;
    const replaced = instead(request);
    if (replaced !== undefined) return replaced;
    if (behaviour === undefined) return place.page(request);
    const count = thinOnes.get(request.url) ?? 0;
    thinOnes.set(request.url, count + 1);
    return (count % 2 === 0 ? place.thin?.(request) : undefined) ?? place.page(request);
  }

  return {
    arrivals,
    unknown,
    answers(request) {
      const platform = platforms.find(({ hosts }) => hosts.test(request.host));
      const place = platform?.places.find((one) => one.takes(request));
      if (place !== undefined) arrivals.push({ request, place, at: now() });
      const answer = place === undefined ? undefined : answerOf(place, request);
      if (answer === undefined) unknown.push(`${request.method} ${request.url} ${request.body}`);
      return answer ?? { status: 500, body: 'unknown to this world' };
    },
  };
}
