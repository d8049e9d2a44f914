import type { Json } from '../../../lib/read/json.js';
import { coverageText } from '../../output/coverage-text.js';
import { type CondensedAnswer, condense, type Truncation } from './condense.js';
import type { RecentAnswer } from './recent-answers.js';
import type { ToolResult } from './tool.js';
import { textLimits, type View } from './view-parameters.js';

const defaultTextLimit = { one: 2000, many: 500 };

const maxPathsInNote = 5;

function truncationList(truncations: readonly Truncation[]): string {
  const names = truncations.slice(0, maxPathsInNote).map(({ path, total }) => `${path} (${total})`);
  const rest = truncations.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

/** Describes what was cut, and how to get the rest without paying again. */
function notesOf({ truncations }: CondensedAnswer, requestId: string, offset: number): string[] {
  const notes: string[] = [];
  const again = `get_answer with request_id ${requestId}`;
  const texts = truncations.filter(({ kind }) => kind === 'text');
  if (texts.length > 0) {
    const longest = Math.min(textLimits.max, Math.max(...texts.map(({ total }) => total)));
    notes.push(
      `Texts cut, ending in “…”, with their full length: ${truncationList(texts)}. The rest is free: ${again}, text_limit ${Math.max(longest, textLimits.min)} and the fields wanted.`,
    );
  }
  const outer = truncations.find(({ kind, path }) => kind === 'list' && path === 'data');
  if (outer !== undefined) {
    notes.push(
      `${outer.shown} of ${outer.total} items shown, to fit. The rest is free: ${again}, offset ${offset + outer.shown}.`,
    );
  }
  const inner = truncations.filter(({ kind, path }) => kind === 'list' && path !== 'data');
  if (inner.length > 0) {
    notes.push(
      `Lists cut, with their full length: ${truncationList(inner)}. The rest is free: ${again}, fields naming the list.`,
    );
  }
  return notes;
}

export interface Range {
  readonly offset: number;
  readonly count: number;
}

/** Drops a place's opening periods if the texts say the same, to save context. `fields` can still select them. */
function withHoursOnce(item: unknown): unknown {
  const hours = (item as { readonly opening_hours?: Readonly<Record<string, unknown>> | null } | null)
    ?.opening_hours;
  if (!Array.isArray(hours?.weekday_text) || hours.weekday_text.length === 0) return item;
  const { periods: _, ...once } = hours;
  return { ...(item as object), opening_hours: once };
}

function sourcesShown(sources: string, answer: Json, offset: number): readonly Json[] {
  const allSources = JSON.parse(sources) as readonly Json[];
  return Array.isArray(answer) ? allSources.slice(offset, offset + answer.length) : allSources;
}

const all: Range = { offset: 0, count: Number.POSITIVE_INFINITY };

/** Returns an answer for a tool: the truncated envelope, and notes on what was cut and what is sample data. */
export function showAnswer(
  { endpoint, answer, demo }: Pick<RecentAnswer, 'endpoint' | 'answer' | 'demo'>,
  { textLimit, pick, isChosen }: View,
  { realPagesHint }: { readonly realPagesHint: string },
  { offset, count }: Range = all,
): ToolResult & { readonly notes: readonly string[] } {
  const content: unknown = JSON.parse(answer.json);
  const pickShown = isChosen ? pick : (item: unknown) => withHoursOnce(pick(item));
  const picked = Array.isArray(content)
    ? content.slice(offset, offset + count).map(pickShown)
    : pickShown(content);
  const fallback = endpoint.many ? defaultTextLimit.many : defaultTextLimit.one;
  const condensed = condense(picked as Json, textLimit ?? fallback);
  const demoNote = `Demo: this is sample data about invented people and places, whatever was requested. Do not present it as fact. ${realPagesHint}`;
  const part = demo || answer.coverage === undefined ? '' : coverageText(endpoint, answer.coverage);
  return {
    demo,
    notes: [
      ...(demo ? [demoNote] : []),
      ...(part === '' ? [] : [part]),
      ...notesOf(condensed, answer.meta.request_id, offset),
    ],
    data: condensed.data,
    meta: answer.meta,
    ...(answer.sources === undefined
      ? {}
      : { sources: sourcesShown(answer.sources, condensed.data, offset), coverage: answer.coverage }),
  };
}
