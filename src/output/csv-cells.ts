/**
 * Characters that a spreadsheet treats as the start of a formula. Some locales read the full-width forms as the narrow
 * ones.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const escaped = /^'+[=+\-@\t\r\n＝＋－＠]/;
const number = /^[+-]?(\d[\d,.]*|\.\d+)(e[+-]?\d+)?%?$/i;
/** An international phone number, grouped as people write it. */
const phone = /^\+\d[\d\s().\-/]{4,30}$/;

/** Returns true for text that a spreadsheet would run. */
export const isFormula = (text: string) => formula.test(text) && !number.test(text) && !phone.test(text);

/**
 * Prefixes text that a spreadsheet would run with an apostrophe, which marks it as text. Text that already has one gets
 * another, so that every text can be read back.
 */
const escapeFormula = (text: string) => (isFormula(text) || escaped.test(text) ? `'${text}` : text);

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string) => (escaped.test(text) ? text.slice(1) : text);

/** Returns a value in the form that csv-stringify takes: lists and free-form objects as JSON text. */
export function cell(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

/** The cell separator that Excel expects. It depends on the system's locale, and a file cannot declare it. */
export const excelSeparators = ['comma', 'semicolon'] as const;
export type ExcelSeparator = (typeof excelSeparators)[number];

export interface CsvStyle {
  readonly raw?: boolean | undefined;
  /** For Excel, with a byte order mark, by which it recognises UTF-8. Undefined for every other reader of CSV. */
  readonly excel?: ExcelSeparator | undefined;
  readonly tabs?: boolean | undefined;
}

/** Returns the text before a file's first line: a byte order mark for Excel. */
export const csvMark = ({ excel }: CsvStyle) => (excel === undefined ? '' : '\ufeff');

/** With semicolons as separators, Excel expects a decimal comma: it would read `4.5` as a day in May. */
const withDecimalComma = (value: number) => String(value).replace('.', ',');

/** Returns the cell separator of a table: the most frequent one in its header. */
export function separatorOf(header: string): ',' | ';' | '\t' {
  const counts = ([',', ';', '\t'] as const).map((one) => ({ one, count: header.split(one).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

/** Returns the separator named by Excel's own first line (`sep=;`), which is not a row. */
export const namedSeparator = (line: string): string | undefined => /^"?sep=(.)"?\s*$/i.exec(line)?.[1];

/** Returns the csv-stringify options for lines of cells. */
export function csvOptions({ raw = false, excel, tabs = false }: CsvStyle) {
  const isSemicolon = excel === 'semicolon';
  return {
    delimiter: tabs ? '\t' : isSemicolon ? ';' : ',',
    cast: {
      boolean: String,
      ...(raw ? {} : { string: escapeFormula }),
      ...(isSemicolon ? { number: withDecimalComma } : {}),
    },
    quoted_match: /[\r\n]/,
  };
}
