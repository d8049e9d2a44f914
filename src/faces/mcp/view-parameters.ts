import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { parseParams } from '../../../lib/params/parse.js';
import { integer } from '../../../lib/params/vocabulary.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';
import { select, unknownField } from '../../output/selection.js';

/** In characters. */
export const textLimits = { min: 100, max: 20_000 };

/** Parameters of every tool that shows an answer: how much of it to show. */
export const viewParams = {
  fields: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Show only these fields of each object; a dot selects a nested one (author.name, opening_hours.periods). Saves context, not credits.',
    ),
  text_limit: integer(
    textLimits.min,
    textLimits.max,
    'Cut texts longer than this many characters; URLs are never cut.',
  ).optional(),
};

export function withoutView(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !Object.hasOwn(viewParams, name)));
}

export interface View {
  readonly textLimit: number | undefined;
  readonly isChosen: boolean;
  pick(item: unknown): unknown;
}

/** Rewrites a value that should be a list as the intended list, or an example if that is unclear. */
function asList(fields: unknown): string {
  const names = typeof fields === 'string' ? (fields.match(/[\w.]+/g) ?? []).slice(0, 100) : [];
  return JSON.stringify(names.length === 0 ? ['id', 'url'] : names);
}

/** Parses the view parameters of a call, before it fetches or charges anything. Throws `invalid_parameter`. */
export function viewOf(
  endpoint: Pick<Endpoint, 'returns' | 'many' | 'path'>,
  args: Readonly<Record<string, unknown>>,
): View {
  const view = Object.fromEntries(Object.keys(viewParams).map((name) => [name, args[name]]));
  if (view.fields !== undefined && !viewParams.fields.safeParse(view.fields).success) {
    throw new ExtractError(
      'invalid_parameter',
      `The parameter fields must be a list of 1 to 100 names, such as ${asList(view.fields)}.`,
      { next: '' },
    );
  }
  const route = { path: endpoint.path, params: viewParams, exactlyOne: null, renamed: {} };
  const { fields, text_limit: textLimit } = parseParams(route, view) as z.output<
    z.ZodObject<typeof viewParams>
  >;
  const unknown = unknownField(endpoint.returns, fields ?? []);
  if (unknown !== null) {
    const { name, fieldNames } = unknown;
    throw new ExtractError(
      'invalid_parameter',
      `Unknown field ${JSON.stringify(name)}. ${suggestBefore(name, fieldNames, `Fields: ${fieldNames.join(', ')}.`)}`,
    );
  }
  const { pick } = select(endpoint.returns, endpoint.many, fields ?? null);
  return { textLimit, isChosen: fields !== undefined, pick };
}
