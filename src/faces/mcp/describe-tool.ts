import type * as z from 'zod';
import { parseParams } from '../../../lib/params/parse.js';
import { dataSchema, inputSchema, outputSchema, type Schemas } from './schemas.js';
import type { Tool } from './tool.js';
import { viewParams, withoutView } from './view-parameters.js';

/** A tool that is not an endpoint's. */
interface ToolDescription<Params extends Schemas> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly params: Params;
  /** The object in `data`, or the item of the list if `many`. */
  readonly data: z.ZodType;
  readonly many?: true;
  /** Also accepts the parameters that control how much is shown. */
  readonly hasView?: true;
  readonly annotations?: Tool['definition']['annotations'];
}

/** Returns a tool's listing and its parameter parser. By default a tool is read-only. */
export function describeTool<Params extends Schemas>(tool: ToolDescription<Params>) {
  const { name, title, description, params, data, many = false, hasView = false } = tool;
  const definition: Tool['definition'] = {
    ...{ name, title, description },
    inputSchema: inputSchema(hasView ? { ...params, ...viewParams } : params),
    outputSchema: outputSchema(dataSchema(data, many), false),
    annotations: {
      ...{ title, readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      ...tool.annotations,
    },
  };
  const route = { path: name, params, exactlyOne: null, renamed: {} };
  return {
    definition,
    /** Parses the parameters of a call, except the view's. Throws the `*_parameter` errors. */
    parse: (args: Readonly<Record<string, unknown>>) =>
      parseParams(route, hasView ? withoutView(args) : args) as z.output<z.ZodObject<Params>>,
  };
}
