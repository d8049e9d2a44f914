import { endpoints } from '../../lib/endpoints.js';
import { answerTool } from './answer-tool.js';
import { balanceTool } from './balance-tool.js';
import { endpointTool } from './endpoint-tool.js';
import { errorCodesTool } from './error-codes-tool.js';
import type { Tool } from './tool.js';

/** Every tool in the order of its listing: the rows of the table, then what goes around them. */
export const tools: readonly Tool[] = [
  ...endpoints.map(endpointTool),
  answerTool,
  balanceTool,
  errorCodesTool,
];
