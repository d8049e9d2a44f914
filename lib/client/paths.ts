import * as table from '../endpoints.js';
import type { Functions } from '../functions.js';

const functions = Object.entries(table).flatMap(([name, value]) =>
  typeof value === 'function' ? [[name, value.endpoint.path] as const] : [],
);

/** The path of each function in the API. The build puts the values in place of this module, and so leaves out zod. */
export const paths = Object.fromEntries(functions) as Readonly<Record<keyof Functions, string>>;
