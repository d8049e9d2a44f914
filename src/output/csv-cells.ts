/** What a spreadsheet takes for a formula; the full-width signs are read as the narrow ones in some settings. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^[+-]?(\d[\d,.]*|\.\d+)(e[+-]?\d+)?%?$/i;
/** An international number, in groups as people write them. */
const phone = /^\+\d[\d\s().\-/]{4,30}$/;

/** Text that a spreadsheet would run is opened by an apostrophe, which it takes as “this is text”. */
function escapeFormula(text: string): string {
  return formula.test(text) && !number.test(text) && !phone.test(text) ? `'${text}` : text;
}

/** A value as csv-stringify is to take it: lists and free-form objects as JSON text. */
export function cell(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

/** How lines of cells become CSV, wherever they come from. `raw`: text is written as it is, formula or not. */
export function csvOptions(raw: boolean) {
  return {
    cast: { boolean: String, ...(raw ? {} : { string: escapeFormula }) },
    quoted_match: /[\r\n]/,
  };
}
