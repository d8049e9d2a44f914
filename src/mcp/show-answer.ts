import type { Json } from '../../lib/read/json.js';
import { type Condensed, type Cut, condense } from './condense.js';
import type { RecentAnswer } from './recent-answers.js';
import type { Shown } from './tool.js';
import { textLimits, type View } from './view-parameters.js';

/** What texts are cut to where nobody says: those of one object, and those of each object of a list. */
const usualTextLimit = { one: 2000, many: 500 };

/** Places named in a note; an answer can have hundreds. */
const namedPlaces = 5;

function listed(cuts: readonly Cut[]): string {
  const names = cuts.slice(0, namedPlaces).map(({ path, whole }) => `${path} (${whole})`);
  const rest = cuts.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

/** In words: what was cut, and how to get the rest without paying again. */
function notesOf({ cuts }: Condensed, requestId: string, offset: number): string[] {
  const notes: string[] = [];
  const again = `get_answer with request_id ${requestId}`;
  const texts = cuts.filter(({ kind }) => kind === 'text');
  if (texts.length > 0) {
    const longest = Math.min(textLimits.max, Math.max(...texts.map(({ whole }) => whole)));
    notes.push(
      `Texts cut, ending in “…”, with their whole length: ${listed(texts)}. The rest is free: ${again}, text_limit ${Math.max(longest, textLimits.min)} and the fields wanted.`,
    );
  }
  const outer = cuts.find(({ kind, path }) => kind === 'list' && path === 'data');
  if (outer !== undefined) {
    notes.push(
      `${outer.shown} of ${outer.whole} items shown, to fit. The rest is free: ${again}, offset ${offset + outer.shown}.`,
    );
  }
  const inner = cuts.filter(({ kind, path }) => kind === 'list' && path !== 'data');
  if (inner.length > 0) {
    notes.push(
      `Lists cut, with their whole length: ${listed(inner)}. The rest is free: ${again}, fields naming the list.`,
    );
  }
  return notes;
}

/** Which items of a list are shown. */
export interface Range {
  readonly offset: number;
  readonly count: number;
}

const all: Range = { offset: 0, count: Number.POSITIVE_INFINITY };

/** An answer as tools show it: the envelope, cut to fit, and notes on what was cut and what is invented. */
export function showAnswer(
  { endpoint, answer, demo }: RecentAnswer,
  { textLimit, pick }: View,
  { wayOut }: { readonly wayOut: string },
  { offset, count }: Range = all,
): Shown & { readonly notes: readonly string[] } {
  const whole: unknown = JSON.parse(answer.json);
  const picked = Array.isArray(whole) ? whole.slice(offset, offset + count).map(pick) : pick(whole);
  const usual = endpoint.many ? usualTextLimit.many : usualTextLimit.one;
  const condensed = condense(picked as Json, textLimit ?? usual);
  const demoNote = `Demo: this is sample data about invented people and places, whatever was asked for. Do not present it as fact. ${wayOut}`;
  return {
    demo,
    notes: [...(demo ? [demoNote] : []), ...notesOf(condensed, answer.meta.request_id, offset)],
    data: condensed.data,
    meta: answer.meta,
  };
}
