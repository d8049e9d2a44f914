import { createRequire } from 'node:module';
import path from 'node:path';

type Json = Readonly<Record<string, unknown>>;

/** An item of a flow, and the index of the item that it came of. */
export interface FlowItem {
  readonly json: Json;
  readonly pairedItem?: { readonly item: number };
}

export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The parts of n8n that run a declarative node. */
interface Core {
  readonly ExecuteContext: new (...parts: unknown[]) => object;
  readonly RoutingNode: new (
    context: object,
    node: object,
  ) => { runNode(): Promise<readonly (readonly FlowItem[])[]> };
}

/**
 * Runs the built node of a folder as n8n does: its own routing works out the fields, sends the requests and follows the
 * pages. Only the store of credentials is ours, as n8n's lies in its database.
 */
export function flowOf(folder: string) {
  const load = createRequire(path.join(folder, 'package.json'));
  // n8n writes a key for its credentials into its folder when it is loaded.
  Object.assign(process.env, { N8N_USER_FOLDER: folder, N8N_ENCRYPTION_KEY: 'of a test' });
  const { ExecuteContext, RoutingNode } = load('n8n-core') as Core;
  const { Workflow } = load('n8n-workflow') as { readonly Workflow: new (options: object) => object };
  const { Extract } = load('./dist/nodes/Extract/Extract.node.js') as {
    readonly Extract: new () => object;
  };
  const { ExtractApi } = load('./dist/credentials/ExtractApi.credentials.js') as {
    readonly ExtractApi: new () => {
      readonly authenticate: { readonly properties: { readonly headers: Readonly<Record<string, string>> } };
    };
  };
  const { headers } = new ExtractApi().authenticate.properties;
  const nodeType = new Extract();

  return async (
    credentials: Credentials,
    parameters: Json,
    items: readonly FlowItem[] = [{ json: {} }],
  ): Promise<readonly FlowItem[]> => {
    const entries = Object.entries(headers).map(([name, value]) => [
      name,
      value.slice(1).replace('{{$credentials.apiKey}}', credentials.apiKey),
    ]);
    const credentialsHelper = {
      getDecrypted: async () => credentials,
      getParentTypes: () => [],
      isCredentialUsableByNode: () => true,
      preAuthentication: async () => undefined,
      authenticate: async (_: unknown, __: string, request: { readonly headers?: object }) => ({
        ...request,
        headers: { ...request.headers, ...Object.fromEntries(entries) },
      }),
    };
    const node = {
      ...{ id: '1', name: 'Extract', type: 'extract', typeVersion: 1, position: [0, 0], parameters },
      credentials: { extractApi: { id: '1', name: 'Extract API' } },
    };
    const nodeTypes = {
      getByNameAndVersion: () => nodeType,
      getByName: () => nodeType,
      getKnownTypes: () => ({}),
    };
    const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: false, nodeTypes });
    const data = { main: [items] };
    const run = { resultData: { runData: {} } };
    const context = Object.assign(
      new ExecuteContext(
        workflow,
        node,
        { credentialsHelper, variables: {} },
        'manual',
        run,
        0,
        items,
        data,
        { node, data, source: null },
        [],
      ),
      { getCredentials: async () => credentials },
    );
    const [output = []] = await new RoutingNode(context, nodeType).runNode();
    return output;
  };
}
