import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { canonicalJson } from '../../lib/read/json.js';
import { type Change, type Kind, kinds } from './changes/change.js';
import { countChanges, twinChanges } from './changes/counts.js';
import { blockChanges, partChanges, repeatedChanges, rowChanges } from './changes/foreign.js';
import { htmlChanges } from './changes/html.js';
import { jsonChanges } from './changes/json.js';
import { valueChanges } from './changes/values.js';
import { cuts, swaps } from './changes/whole.js';
import { type Breach, breachesOf, type IsHeld, twiceIn } from './invariants.js';
import { hasOtherAddresses, isKnown } from './known.js';
import { answerOf, type Subject, subjectsOf } from './subject.js';
import { type TouchedJson, touchedBy } from './touched.js';

/** What became of one change. */
export interface Outcome {
  readonly subject: string;
  readonly kind: Kind;
  readonly what: string;
  /** The same answer, one with less in it, an honest error of the platform, or a broken invariant, known or not. */
  readonly became: 'same' | 'less' | 'refused' | 'known' | 'broken';
  readonly breaches: readonly Breach[];
}

/** Pages of an answer that are changed: the own pages of a list's items are alike. */
const changedPages = 3;
/** Other subjects, whose pages replace a page or are added to it. */
const others = 4;

/** The place that a subject's requests name, or null: several names lead to one place. */
const placeOf = ({ pages }: Subject) =>
  /0x[\da-f]+(?::|%3A)0x[\da-f]+/i.exec(pages.map(({ url }) => url).join(' '))?.[0] ?? null;

const identityWords = ({ identity }: Subject) =>
  String(identity.query ?? '')
    .split(/\s+/)
    .filter((word) => word.length > 2);

/** Whether one word is the other with letters added, as a platform corrects what people type. */
const isNear = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

/** Whether two subjects are certainly two. A search for nearly the same words may be the same, spelled better. */
function isOther(one: Subject, other: Subject): boolean {
  if (canonicalJson(one.identity) === canonicalJson(other.identity)) return false;
  if (placeOf(one) !== null && placeOf(one) === placeOf(other)) return false;
  return identityWords(one).every((word) => !identityWords(other).some((near) => isNear(word, near)));
}

function changesOf(
  subject: Subject,
  at: number,
  touched: readonly TouchedJson[],
  all: ReadonlyMap<Subject, readonly TouchedJson[]>,
): Change[] {
  const page = subject.pages[at]?.text ?? '';
  const foreignPages = [...all]
    .filter(([one]) => isOther(one, subject))
    .flatMap(([{ name, pages }, touched]) =>
      pages[at] === undefined ? [] : [{ name, touched, ...pages[at] }],
    )
    // Two lists may hold the same item, whose own page is then no other subject's.
    .filter(({ text, url }) => text !== page && url !== subject.pages[at]?.url)
    .filter((_, index, list) => (list.length - 1 - index) % Math.ceil(list.length / others) === 0);
  return [
    ...touched.flatMap((json) => [
      ...jsonChanges(page, json),
      ...valueChanges(page, json),
      // The pages of a list's items come after it.
      ...partChanges(page, json, foreignPages),
      ...rowChanges(page, json, at === 0 && subject.endpoint.many ? foreignPages : []),
    ]),
    ...blockChanges(page, touched, foreignPages),
    ...repeatedChanges(page),
    ...htmlChanges(page, subject.endpoint.platform),
    ...cuts(page),
    ...countChanges(page),
    ...twinChanges(page),
    ...foreignPages.flatMap(({ name, text }) => swaps(page, text, name)),
  ];
}

/** What an address says of the size of its picture. */
const sized = /=[^=/?]*$/;

/** Addresses that the unchanged pages hold, and that they give for nothing else. */
function isHeldBy({ endpoint, pages, all }: Subject): IsHeld {
  const given = JSON.stringify(all);
  const spellings = (address: string) => {
    const json = JSON.stringify(address).slice(1, -1);
    return [address, json, json.replaceAll('/', '\\/'), address.replaceAll('&', '&amp;')];
  };
  return (address, path) =>
    hasOtherAddresses(endpoint.path, path) &&
    !given.includes(address) &&
    pages.some(({ text }) => spellings(address.replace(sized, '')).some((one) => text.includes(one)));
}

async function outcomeOf(subject: Subject, at: number, change: Change): Promise<Outcome | null> {
  const page = subject.pages[at]?.text ?? '';
  const text = change.text();
  if (text === page) return null;
  const outcome = (became: Outcome['became'], breaches: readonly Breach[] = []): Outcome => ({
    subject: `${subject.endpoint.path}, ${subject.name}, page ${at + 1}`,
    kind: change.kind,
    what: change.what,
    became,
    breaches,
  });
  try {
    const answer = await answerOf(subject, (ownText, _, index) => (index === at ? text : ownText));
    if (JSON.stringify(answer) === JSON.stringify(subject.data)) return outcome('same');
    const all = breachesOf(subject.all, Array.isArray(answer) ? answer : [answer], isHeldBy(subject)).filter(
      ({ what }) => change.value === undefined || !what.endsWith(` became ${change.value}`),
    );
    if (twiceIn(answer) > twiceIn(subject.data))
      all.push({ kind: 'twice', path: '', what: 'an item came again' });
    const breaches = all.filter((one) => !isKnown(subject.endpoint.path, change.kind, one));
    if (breaches.length > 0) return outcome('broken', breaches);
    return all.length === 0 ? outcome('less') : outcome('known', all);
  } catch (error) {
    if (error instanceof ExtractError && error.type === 'platform') return outcome('refused');
    const isMissing = error instanceof ExtractError && error.type === 'not_found';
    const breach: Breach = { kind: isMissing ? 'not found' : 'crash', path: '', what: String(error) };
    return outcome(isKnown(subject.endpoint.path, change.kind, breach) ? 'known' : 'broken', [breach]);
  }
}

/** The changes to make. */
export interface Selection {
  /** One of so many. */
  readonly every?: number;
  /** Changes of these kinds. */
  readonly only?: readonly Kind[];
}

/** Changes the pages of an endpoint in every way, and tells what became of each. */
export async function* mutate(
  endpoint: Endpoint,
  { every = 1, only = kinds }: Selection = {},
): AsyncGenerator<Outcome> {
  const subjects = await subjectsOf(endpoint);
  let count = 0;
  const all = new Map<Subject, readonly TouchedJson[]>();
  for (const subject of subjects) all.set(subject, await touchedBy(() => answerOf(subject, (text) => text)));
  for (const [subject, touched] of all) {
    for (let at = 0; at < Math.min(changedPages, subject.pages.length); at += 1) {
      for (const change of changesOf(subject, at, touched, all)) {
        if (!only.includes(change.kind)) continue;
        count += 1;
        if (count % every !== 0) continue;
        const outcome = await outcomeOf(subject, at, change);
        if (outcome !== null) yield outcome;
      }
    }
  }
}
