import { stepFields } from '../../../../lines/step-fields.js';

/** The steps that process the results of a job or a schedule, as lines of its details; with `all`, also what is not. */
export const stepLines = (values: Readonly<Record<string, unknown>>, all = false) =>
  stepFields.map(({ name, line: { title, text, without } }) => {
    const value = values[name];
    if (value === undefined) return all && without !== undefined ? ([title, without] as const) : null;
    return [title, text ?? <code key={name}>{String(value)}</code>] as const;
  });
