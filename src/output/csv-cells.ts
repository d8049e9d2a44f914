/**
 * Text that a spreadsheet would run as a formula is opened by an apostrophe, which it takes as “this is text”.
 * A plain signed number is no formula. The full-width signs are read as the narrow ones in some settings.
 */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}

/** A value as csv-stringify is to take it: lists and free-form objects as JSON text. */
export function cell(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

/** How lines of cells become CSV, wherever they come from. */
export const csvOptions = {
  cast: { string: escapeFormula, boolean: String },
  quoted_match: /[\r\n]/,
};
