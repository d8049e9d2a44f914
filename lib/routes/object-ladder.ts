import type { PageItemSource } from '../read/item-source.js';
import type { PageSession } from '../web/page-source.js';
import { type MergedObject, merge, readBy } from './merge.js';
import type { ReadContext, ReadResult } from './reading.js';
import type { ObjectReading, Route } from './route.js';
import { ask, isOutcome, pageName, requestTo, routesIn, type Steps, walk } from './walk.js';

export interface ObjectLadder<Identity, Data extends object, Subject = Identity>
  extends Steps<Identity, ObjectReading<Data>, Subject> {
  /**
   * Routes worth another request for what an answer lacks, with the fields that justify it. Each is used at most once,
   * in order, if one of its fields is null or rounded. They receive what was found before.
   */
  readonly completes?: readonly {
    readonly route: Route<Subject, ObjectReading<Partial<Data>>>;
    readonly fields: readonly (keyof Data & string)[];
    /** True for answers that are worth it; by default all. */
    readonly when?: (answer: ObjectReading<Data>, session: PageSession) => boolean;
  }[];
}

/** True if both identify one subject. A source without an ID identifies none. */
const isSame = (one: PageItemSource, other: PageItemSource) =>
  one.id === null || other.id === null ? one.url === other.url : one.id === other.id;

/** True if a failed route would have filled a field that is missing or rounded in the answer. */
function isThin<Data extends object>(
  { data, rounded }: MergedObject<Data>,
  routes: readonly Route<never, unknown>[],
  failed: readonly Route<never, unknown>[],
): boolean {
  const isKnown = (field: string) => routes.some(({ fills }) => fills?.[field] === undefined);
  const lacking = Object.entries(data).flatMap(([field, value]) =>
    (value === null && !isKnown(field)) || rounded.has(field) ? [field] : [],
  );
  return failed.some(({ fills }) => lacking.some((field) => fills?.[field] === undefined));
}

/** Reads one object by its ladder: from the first route that has it, completed by the routes that the ladder lists. */
export async function readObject<Identity, Data extends object, Subject = Identity>(
  ladder: ObjectLadder<Identity, Data, Subject>,
  context: ReadContext<Identity>,
): Promise<ReadResult<Data> & { readonly sources: readonly PageItemSource[] }> {
  const { session } = context;
  const request = await requestTo(ladder.resolve, context, null);
  const routes = routesIn(ladder, session);
  const { answer, route, failed } = await walk({ ...ladder, routes }, request);
  const { source } = answer;
  let merged = readBy(answer.data, route, answer);
  let brief = answer.brief === true;
  const doneRoutes = new Set<Route<Subject, ObjectReading<Partial<Data>>>>([route, ...failed]);
  const remainingRoutes: Route<Subject, ObjectReading<Partial<Data>>>[] = [...failed];
  const answeringRoutes: Route<Subject, ObjectReading<Partial<Data>>>[] = [route];
  for (const { route: other, fields, when = () => true } of ladder.completes ?? []) {
    const lacks = fields.some((field) => merged.data[field] === null || merged.rounded.has(field));
    if (doneRoutes.has(other) || !lacks || !when(answer, session)) continue;
    doneRoutes.add(other);
    try {
      const addition = await ask(other, { ...request, merged: merged.data });
      if (!isSame(source, addition.source)) continue;
      merged = merge(merged, readBy(addition.data, other, addition));
      answeringRoutes.push(other);
    } catch (error) {
      if (!isOutcome(error)) throw error;
      remainingRoutes.push(other);
    }
  }
  brief ||= isThin(merged, answeringRoutes, remainingRoutes);
  return {
    data: merged.data,
    sources: [{ ...source, route: pageName(route, session) }],
    brief,
    rounded: [...merged.rounded],
  };
}
