import type { Endpoint } from '../../../lib/endpoint.js';
import { describe, kindOf } from '../../../lib/params/describe.js';
import { readOperation } from '../openapi/read-operations.js';
import { objectName } from '../openapi/schemas.js';
import { html, prose } from './html.js';
import { json, page, table } from './layout.js';

interface Operation {
  readonly responses: {
    readonly 200: {
      readonly content: {
        readonly 'application/json': { readonly examples: { readonly demo: { readonly value: unknown } } };
      };
    };
  };
}

function needed({ exactlyOne }: Endpoint, name: string, optional: boolean): string {
  if (exactlyOne?.includes(name) === true) return `one of ${exactlyOne.join(', ')}`;
  return optional ? 'no' : 'yes';
}

/** The page of one endpoint: what it takes, costs and answers. */
export async function endpointPage(endpoint: Endpoint): Promise<string> {
  const operation = (await readOperation(endpoint)) as unknown as Operation;
  const example = operation.responses[200].content['application/json'].examples.demo.value;
  const name = objectName(endpoint.returns);
  const object = html`<a href="/docs/objects/${name}"><code>${name}</code></a>`;
  const parameters = Object.entries(endpoint.params).map(([word, schema]) => {
    const { expects, default: fallback } = describe(schema);
    return [
      html`<code>${word}</code>`,
      prose(kindOf(schema).description ?? ''),
      expects,
      needed(endpoint, word, schema.safeParse(undefined).success),
      fallback === undefined ? '' : String(fallback),
    ];
  });
  const address = `/v1/${endpoint.path}`;
  return page(
    endpoint.path,
    html`<p>${endpoint.summary}.</p>
${prose(endpoint.description)}
<p><code>GET ${address}</code> · operation <code>${endpoint.operation}</code> · ${endpoint.credits} credits · kept for ${endpoint.cacheSeconds} seconds · answers ${endpoint.many ? html`a list of ${object}` : object}</p>
<h2>Parameters</h2>
${table(['Name', 'Meaning', 'Takes', 'Required', 'Default'], parameters)}
<h2>Example</h2>
<pre tabindex="0"><code>curl '${address}?demo=true'</code></pre>
${json(example)}
<p>The same on the command line is <code>extract ${endpoint.platform} ${endpoint.name}</code>. What can go wrong: <a href="/docs/errors">the errors</a>.</p>`,
  );
}
