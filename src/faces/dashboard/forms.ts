import type * as z from 'zod';

/** Values of a form as they were sent, to be shown again; only the texts among them. */
export type FormValues = Readonly<Record<string, string>>;

/** A form that was read, or what is wrong with it, by field. */
export type ReadForm<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly problems: FormValues };

/** Reads a form's body. The messages of the schema are shown beside the fields. */
export function readForm<T>(schema: z.ZodType<T>, body: unknown): ReadForm<T> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return { ok: true, data: result.data };
  const problems: Record<string, string> = {};
  for (const { path, message } of result.error.issues) problems[String(path[0] ?? '')] ??= message;
  return { ok: false, problems };
}

/** The typed values, for a form that is shown again. */
export function textFields(body: unknown): FormValues {
  if (typeof body !== 'object' || body === null) return {};
  const texts = Object.entries(body).filter((one): one is [string, string] => typeof one[1] === 'string');
  return Object.fromEntries(texts);
}

/** Credits that a field takes at most: sums of many stay exact. */
const maxCredits = 1_000_000_000;

/** The credits of a field, which may group digits; null for text that is no whole number from 1 up. */
export function parseCredits(text: string): number | null {
  const digits = text.trim().replaceAll(/[, _]/g, '');
  const credits = Number(digits);
  return /^\d{1,10}$/.test(digits) && credits >= 1 && credits <= maxCredits ? credits : null;
}
