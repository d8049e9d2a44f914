import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Json = Readonly<Record<string, unknown>>;

/** A field of the node, as far as its request follows from it. */
interface Property {
  readonly name: string;
  readonly default?: unknown;
  readonly required?: boolean;
  readonly options?: readonly (Property & { readonly value?: unknown })[];
  readonly type?: string;
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly unknown[]>> };
  readonly routing?: {
    readonly request?: { readonly method: string; readonly url: string };
    readonly send?: { readonly type?: string; readonly property?: string; readonly paginate?: string };
    readonly operations?: { readonly pagination: { readonly properties: Paging } };
    readonly output?: { readonly postReceive: readonly PostReceive[] };
  };
}

interface Paging {
  readonly continue: string;
  readonly request: { readonly url: string; readonly qs: Readonly<Record<string, string>> };
}

type PostReceive = (
  items: readonly never[],
  response: { readonly body: unknown },
) => Promise<{ json: Json }[]>;

type Headers = Readonly<Record<string, string>>;

interface NodeModule {
  readonly Extract: new () => {
    readonly description: {
      readonly properties: readonly Property[];
      readonly requestDefaults: { readonly baseURL: string; readonly headers: Headers };
    };
  };
}

interface CredentialModule {
  readonly ExtractApi: new () => {
    readonly authenticate: { readonly properties: { readonly headers: Headers } };
  };
}

const folder = temporaryFolder();

/** A module of the package, made as its build makes it. Only types of n8n are in it, and those are gone then. */
function built(file: string): unknown {
  const outfile = path.join(folder, `${path.basename(file)}.cjs`);
  const entry = path.join(packageRoot(), 'clients/n8n', file);
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile });
  return createRequire(import.meta.url)(outfile);
}

const { Extract } = built('nodes/Extract/Extract.node.ts') as NodeModule;
const { ExtractApi } = built('credentials/ExtractApi.credentials.ts') as CredentialModule;
const { description } = new Extract();

/** A value with n8n's expressions worked out: what stands between braces is JavaScript. */
function worked(text: unknown, scope: Json): unknown {
  if (typeof text !== 'string' || !text.startsWith('=')) return text;
  const inner = (code: string): unknown =>
    new Function(...Object.keys(scope), `return (${code});`)(...Object.values(scope));
  const whole = /^=\{\{(.*)\}\}$/s.exec(text)?.[1];
  if (whole !== undefined && !whole.includes('{{')) return inner(whole);
  return text.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code: string) => String(inner(code)));
}

/**
 * Runs the node as n8n runs a declarative one: the fields that are shown make the request, pages are followed, and the
 * answers become items. It stands in for n8n's own `RoutingNode`, which comes with the whole of n8n.
 */
export async function runFlow(
  credentials: { readonly baseUrl: string; readonly apiKey: string },
  given: Json,
): Promise<Json[]> {
  const isShown = ({ displayOptions }: Property, values: Json) =>
    Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => wanted.includes(values[name]));
  let values: Json = given;
  for (const property of description.properties) {
    if (property.name in values || !isShown(property, values)) continue;
    values = { ...values, [property.name]: property.default };
  }
  const shown = description.properties.filter((property) => isShown(property, values));
  const chosen = shown
    .find(({ name }) => name === 'operation')
    ?.options?.find(({ value }) => value === values.operation);
  assert.ok(chosen?.routing?.request, `there is no operation ${String(values.operation)}`);
  const query: Record<string, string> = {};
  let paging: Paging | undefined;
  for (const { name, type, options = [], required, routing } of shown) {
    if (type === 'collection') {
      for (const [field, value] of Object.entries((values[name] ?? {}) as Json)) {
        const send = options.find((option) => option.name === field)?.routing?.send;
        assert.ok(send?.property, `there is no field ${field}`);
        query[send.property] = String(value);
      }
      continue;
    }
    assert.ok(required !== true || values[name] !== '', `${name} is required`);
    if (routing?.send?.property !== undefined) query[routing.send.property] = String(values[name]);
    if (
      routing?.send?.paginate !== undefined &&
      worked(routing.send.paginate, { $value: values[name] }) === true
    )
      paging = routing.operations?.pagination.properties;
  }
  const scope = { $credentials: credentials };
  const base = String(worked(description.requestDefaults.baseURL, scope));
  const { headers } = new ExtractApi().authenticate.properties;
  const sent = Object.entries({ ...description.requestDefaults.headers, ...headers }).map(
    ([name, value]) => [name, String(worked(value, scope))] as const,
  );
  const items: Json[] = [];
  for (let more: Json = {}; ; ) {
    const asked = new URLSearchParams({ ...query, ...(more as Record<string, string>) });
    const response = await fetch(`${base}${chosen.routing.request.url}?${asked}`, {
      headers: Object.fromEntries(sent),
    });
    const body: unknown = await response.json();
    // n8n ends a node with the error of an answer that is none.
    if (!response.ok) throw Object.assign(new Error(JSON.stringify(body)), { status: response.status });
    for (const post of chosen.routing.output?.postReceive ?? []) {
      items.push(...(await post([], { body })).map(({ json }) => json));
    }
    const $ = { $response: { body }, $request: { url: '' } };
    if (paging === undefined || worked(paging.continue, $) !== true) return items;
    more = Object.fromEntries(
      Object.entries(paging.request.qs).map(([name, value]) => [name, worked(value, $)]),
    );
  }
}
