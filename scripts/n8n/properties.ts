import type { Endpoint } from '../../lib/endpoint.js';
import { describe, kindOf } from '../../lib/params/describe.js';

/** A value that looks the same in a module of the node as in JSON. */
export type Literal = string | number | boolean | readonly Literal[] | { readonly [name: string]: Literal };

const acronyms: Readonly<Record<string, string>> = { id: 'ID', url: 'URL' };
const small = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);

/** “Posts of a hashtag” → “Posts of a Hashtag”, n8n's style for labels. */
export function labelOf(text: string): string {
  return text
    .split(/[\s_]+/)
    .map((word, at) => {
      const acronym = acronyms[word.toLowerCase()];
      if (acronym !== undefined) return acronym;
      if (at > 0 && small.has(word)) return word;
      return word.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
    })
    .join(' ');
}

/** `posted_after` → `postedAfter`. A name that n8n reserves is replaced. */
export const fieldName = (param: string) =>
  param === 'limit' ? 'pageSize' : param.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Punctuates a description as n8n's linter requires: no full stop after a single sentence. */
export function sentences(text: string): string {
  const plain = text
    .replaceAll('`', '')
    .replace(/\bid\b/g, 'ID')
    .replace(/\.$/, '')
    .trim();
  const first = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?] [A-Z]/.test(first) ? `${first}.` : first;
}

/** Paging parameters, which the node sets itself. */
const withheld: ReadonlySet<string> = new Set(['cursor']);

export const optionalParams = (endpoint: Endpoint) =>
  Object.keys(endpoint.params).filter(
    (name) =>
      !withheld.has(name) &&
      endpoint.exactlyOne?.includes(name) !== true &&
      endpoint.params[name]?.safeParse(undefined).success !== false,
  );

export const requiredParams = (endpoint: Endpoint) =>
  Object.keys(endpoint.params).filter(
    (name) => endpoint.params[name]?.safeParse(undefined).success === false,
  );

/** Returns one parameter as a field of the node, sent in the query under its own name. */
export function fieldOf(endpoint: Endpoint, name: string): Readonly<Record<string, Literal>> {
  const schema = endpoint.params[name];
  if (schema === undefined) throw new Error(`${endpoint.path} has no parameter ${name}.`);
  const kind = kindOf(schema);
  const { text, expects } = describe(schema);
  const label = name === 'limit' ? 'Page Size' : labelOf(name);
  const shared = {
    displayName: label,
    name: fieldName(name),
    routing: { send: { type: 'query', property: name } },
  };
  if (kind.enum !== undefined) {
    const options = kind.enum.map((value) => ({ name: labelOf(value), value }));
    options.sort((one, other) => one.name.localeCompare(other.name, 'en'));
    const chosen = kind.default ?? kind.enum[0] ?? '';
    return { ...shared, type: 'options', options, default: chosen, description: sentences(text) };
  }
  if (kind.type === 'boolean') {
    const whether = `Whether this is wanted: ${lowerFirst(text)}`;
    return { ...shared, type: 'boolean', default: kind.default ?? false, description: sentences(whether) };
  }
  if (kind.type === 'string') {
    // A field that is added and left empty is not sent.
    const send = { ...shared.routing.send, value: '={{ $value || undefined }}' };
    return { ...shared, routing: { send }, type: 'string', default: '', description: sentences(text) };
  }
  return {
    ...shared,
    type: 'number',
    default: kind.default ?? kind.minimum ?? 0,
    description: sentences(`${text}: ${expects}`),
  };
}
