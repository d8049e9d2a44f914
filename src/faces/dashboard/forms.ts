import type * as z from 'zod';

/** Submitted strings of a form, to be shown again. */
export type FormValues = Readonly<Record<string, string>>;

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

/** Parses the credits in a field, which may group digits; null unless it is a whole number from 1. */
export function parseCredits(text: string): number | null {
  const digits = text.trim().replaceAll(/[, _]/g, '');
  const credits = Number(digits);
  return /^\d{1,10}$/.test(digits) && credits >= 1 && credits <= maxCredits ? credits : null;
}
