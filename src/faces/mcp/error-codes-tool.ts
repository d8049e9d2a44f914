import * as z from 'zod';
import { catalogue, type ErrorCode } from '../../../lib/errors/extract-error.js';
import { choice } from '../../../lib/params/vocabulary.js';
import { describeTool } from './describe-tool.js';
import type { Tool } from './tool.js';

const codes = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];

const entry = z.strictObject({
  code: z.string().describe('Stable; branch on it.'),
  type: z.string().describe('Class of the error.'),
  status: z.int().min(400).describe('HTTP status of an answer that carries it.'),
  summary: z.string().describe('What happened.'),
  next: z.string().describe('What to do next.'),
});

const { definition, parse } = describeTool({
  name: 'list_error_codes',
  title: 'The error codes',
  description:
    'Every error code that a tool can return: what happened and what to do next. Free. Errors are objects with type, code, message, docs and request_id.',
  params: { code: choice(codes, 'Only this code.').optional() },
  data: entry,
  many: true,
});

export const errorCodesTool: Tool = {
  endpoint: null,
  definition,
  async run(args) {
    const { code } = parse(args);
    const data: z.output<typeof entry>[] = codes
      .filter((one) => code === undefined || one === code)
      .map((one) => ({ code: one, ...catalogue[one] }));
    return { demo: false, notes: [], data };
  },
};
