import type * as z from 'zod';

/** Submitted strings of a form, to be shown again. */
export type FormValues = Readonly<Record<string, string>>;

/** A form to show again: what was submitted, and the problem of each field. */
export interface FormState {
  readonly values?: FormValues | undefined;
  readonly problems?: FormValues | undefined;
}

export type ReadForm<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly problems: FormValues };

/** Parses a form. The schema's messages are shown next to the fields. */
export function readForm<T>(schema: z.ZodType<T>, body: unknown): ReadForm<T> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return { ok: true, data: result.data };
  const problems: Record<string, string> = {};
  for (const { path, message } of result.error.issues) problems[String(path[0] ?? '')] ??= message;
  return { ok: false, problems };
}

export function textFields(body: unknown): FormValues {
  if (typeof body !== 'object' || body === null) return {};
  const texts = Object.entries(body).filter((one): one is [string, string] => typeof one[1] === 'string');
  return Object.fromEntries(texts);
}

/** Maximum credits in one field; sums of many remain exact. */
const maxCredits = 1_000_000_000;

/** Parses the credits in a field, which may group digits: null for an empty field, NaN for anything but a number. */
export function parseCredits(text = '', { min = 1, max = maxCredits } = {}): number | null {
  const digits = text.trim().replaceAll(/[, _]/g, '');
  if (digits === '') return null;
  const credits = Number(digits);
  return /^\d{1,10}$/.test(digits) && credits >= min && credits <= max ? credits : Number.NaN;
}
