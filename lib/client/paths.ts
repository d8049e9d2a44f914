import * as table from '../endpoints.js';
import type { Functions } from '../functions.js';

const functions = Object.entries(table).flatMap(([name, value]) =>
  typeof value === 'function' ? [[name, value.endpoint.path] as const] : [],
);

/** The API path of each function. The build replaces this module with its values, which leaves out zod. */
export const paths = Object.fromEntries(functions) as Readonly<Record<keyof Functions, string>>;
