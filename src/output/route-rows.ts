import * as z from 'zod';
import type { Endpoint } from '../../lib/endpoint.js';
import { markdownTable } from './markdown-table.js';

/** A route of an endpoint, in the form shown to people and programs. The lists contain fields of the object. */
export const routeRow = z.strictObject({
  route: z.string(),
  role: z.string(),
  reads: z.string(),
  surface: z.string(),
  /** Filled completely whenever the platform has them. */
  exact: z.array(z.string()),
  rounded: z.array(z.string()),
  /** Filled with less, such as a smaller picture. */
  smaller: z.array(z.string()),
  /** Filled only for some subjects. */
  some: z.array(z.string()),
  never: z.array(z.string()),
  last_seen: z.string(),
  from: z.array(z.string()),
});

export type RouteRow = z.output<typeof routeRow>;

/** Returns the routes of an endpoint, in the order in which they are tried. */
export function routeRows({ routes, roles, returns }: Endpoint): readonly RouteRow[] {
  const fields = returns instanceof z.ZodObject ? Object.keys(returns.shape) : [];
  return routes.map(({ name, reads, surface, seen, fills = {} }) => {
    const role = roles[name] ?? 'answers';
    // A route that identifies a subject, or confirms that it is missing, fills no field of the object.
    const filledFields = role === 'resolves' || role === 'witness' ? [] : fields;
    const fieldsWith = (fill: string | undefined) => filledFields.filter((field) => fills[field] === fill);
    return {
      ...{ route: name, role, reads, surface, exact: fieldsWith(undefined) },
      ...{ rounded: fieldsWith('rounded'), smaller: fieldsWith('smaller'), some: fieldsWith('some') },
      ...{ never: fieldsWith('never'), last_seen: seen.month, from: [...seen.from] },
    };
  });
}

const kinds = ['exact', 'rounded', 'smaller', 'some', 'never'] as const;

/** Maximum fields listed next to another kind. */
const maxNamed = 5;

/** What a route fills, in words; empty texts for none. */
interface FillWords {
  readonly inFull: string;
  readonly inPart: string;
  readonly never: string;
}

/** Returns the fields of each kind, formatted by `nameOf`. The longest list becomes “all others”. */
export function fillWords(row: RouteRow, nameOf: (field: string) => string): FillWords {
  const [longest, next] = kinds.toSorted((one, other) => row[other].length - row[one].length);
  const wordsOf = (kind: (typeof kinds)[number]) => {
    if (kind !== longest || row[kind].length <= maxNamed) return row[kind].map(nameOf).join(', ');
    return next !== undefined && row[next].length > 0 ? 'all others' : 'all';
  };
  const partly = (['rounded', 'smaller', 'some'] as const).filter((kind) => row[kind].length > 0);
  return {
    inFull: wordsOf('exact'),
    inPart: partly.map((kind) => `${kind}: ${wordsOf(kind)}`).join('; '),
    never: wordsOf('never'),
  };
}

export function routesMarkdown(endpoint: Endpoint): string {
  return markdownTable(
    ['Route', 'Role', 'What it reads', 'In full', 'In part', 'Never', 'Last seen', 'From'],
    routeRows(endpoint).map((row) => {
      const { inFull, inPart, never } = fillWords(row, (field) => `\`${field}\``);
      const { route, role, reads, last_seen, from } = row;
      return [`\`${route}\``, role, reads, inFull, inPart, never, last_seen, from.join(', ')];
    }),
  );
}
