import type * as z from 'zod';
import type { RunKind, StepField } from './step.js';
import { type StepRow, steps } from './steps.js';

type ServerKind = Extract<RunKind, 'job' | 'schedule'>;

export interface NamedField extends StepField {
  readonly name: string;
  /** True if jobs without a schedule have the field, too. */
  readonly isOfJobs: boolean;
  /** True if the only value is true. */
  readonly isSwitch: boolean;
}

/** The fields that steps add to schedules, in table order. */
export const stepFields: readonly NamedField[] = steps.flatMap(({ kinds, options }) =>
  Object.entries(options).flatMap(([name, { field }]): NamedField[] =>
    field === undefined
      ? []
      : [
          {
            ...{ ...field, name },
            isOfJobs: kinds.includes('job'),
            isSwitch: field.schema().safeParse(true).success,
          },
        ],
  ),
);

type SchemasOf<Options> = Options extends unknown
  ? {
      [Name in keyof Options as Options[Name] extends { readonly field: object }
        ? Name
        : never]: Options[Name] extends {
        readonly field: { readonly schema: () => infer Schema extends z.ZodType };
      }
        ? Schema
        : never;
    }
  : never;
type Joined<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export const stepSchemas = Object.fromEntries(
  stepFields.map(({ name, schema }) => [name, schema()]),
) as Joined<SchemasOf<StepRow['options']>>;

/** “With --every: keep what changes”: a field's description, prefixed by a condition if only schedules have it. */
export const briefOf = ({ brief, isOfJobs }: NamedField, withSchedule: string) =>
  isOfJobs ? `${brief[0]?.toUpperCase()}${brief.slice(1)}` : `${withSchedule}: ${brief}`;

export const pickFields = (values: Readonly<Record<string, unknown>>, kind: ServerKind) =>
  Object.fromEntries(
    stepFields
      .filter(({ name, isOfJobs }) => (isOfJobs || kind === 'schedule') && values[name] !== undefined)
      .map(({ name }) => [name, values[name]]),
  );
