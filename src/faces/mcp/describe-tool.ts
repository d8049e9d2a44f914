import type * as z from 'zod';
import { parseParams } from '../../../lib/params/parse.js';
import { dataSchema, inputSchema, outputSchema, type Schemas } from './schemas.js';
import type { Tool } from './tool.js';
import { viewParams, withoutView } from './view-parameters.js';

/** A tool beside those of the table, as its author writes it. */
interface ToolDescription<Params extends Schemas> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly params: Params;
  /** The object that `data` is, or a list of it where `many`. */
  readonly data: z.ZodType;
  readonly many?: true;
  /** Takes the parameters of how much is shown, too. */
  readonly hasView?: true;
  readonly annotations?: Tool['definition']['annotations'];
}

/** How a tool is listed, and the reader of its parameters. One that says nothing else changes nothing, anywhere. */
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
    /** The parameters of a call, without those of the view. Throws the `*_parameter` errors. */
    parse: (args: Readonly<Record<string, unknown>>) =>
      parseParams(route, hasView ? withoutView(args) : args) as z.output<z.ZodObject<Params>>,
  };
}
