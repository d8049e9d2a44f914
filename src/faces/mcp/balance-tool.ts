import * as z from 'zod';
import { describeTool } from './describe-tool.js';
import type { Tool } from './tool.js';

const balance = z.strictObject({
  account: z.string().nullable().describe('The account that is charged; null without a key.'),
  credits: z.int().min(0).describe('Credits left.'),
  bought: z.boolean().describe('True once credits have been bought, which fresh=true requires.'),
});

const { definition, parse } = describeTool({
  name: 'get_balance',
  title: 'The balance',
  description:
    'The remaining credits and their account. Free. Check it before longer work: each tool’s description names its price.',
  params: {},
  data: balance,
});

export const balanceTool: Tool = {
  endpoint: null,
  definition,
  async run(args, { access, backend }) {
    parse(args);
    const caller = await access.admit({ platform: null, demo: false });
    if (caller === null) {
      return {
        demo: true,
        notes: [
          `Demo: there is no key, so every call returns sample data and is free. ${access.realPagesHint}`,
        ],
        data: { account: null, credits: 0, bought: false } satisfies z.output<typeof balance>,
      };
    }
    const { account, credits, bought } = await backend.balance(caller.account);
    const data: z.output<typeof balance> = { account, credits, bought };
    return { demo: false, notes: [], data };
  },
};
