import * as z from 'zod';
import { quantity } from '../../output/number-text.js';
import { keepItems } from '../line.js';
import type { Step } from '../step.js';

interface ConditionValues {
  readonly when?: string | undefined;
}

const maxLength = 1000;
const fieldFault = `must be a condition such as "rating <= 2", of at most ${maxLength} characters.`;

/** Leaves out items for which a condition in CEL is not true. */
export const condition = {
  name: 'condition',
  kinds: ['call', 'batch', 'area', 'convert', 'job', 'schedule'],
  options: {
    when: {
      shape: () => z.string(),
      value: 'condition',
      help: 'Keep only items that match this condition, such as "rating <= 2" (CEL)',
      field: {
        schema: () =>
          z
            .string(fieldFault)
            .min(1, fieldFault)
            .max(maxLength, fieldFault)
            .refine((text) => text.trim() !== '', fieldFault)
            .optional()
            .describe(
              'A condition in CEL over the fields of an item and its `source`, such as `rating <= 2`. Other items are omitted, and counted in `left_out` of the line.',
            ),
        brief: 'keep items that match this CEL: rating <= 2',
        label: 'Only items where',
        hint: 'A condition on the fields of an item, such as rating <= 2. Others are omitted from the results and alerts; they cost the same.',
        line: { title: 'Only items where' },
      },
    },
  },
  async request({ when }, { endpoint, isForeign, nameOf }) {
    if (when === undefined) return null;
    const name = nameOf('when');
    // Loaded on demand: most runs have no condition and need no parser.
    const { Condition } = await import('../condition/condition.js');
    const parsed = new Condition(endpoint, when, { name, isForeign });
    return {
      needsSources: parsed.namesSource,
      lack: 'a match',
      open({ breathe }) {
        let undecided = 0;
        return {
          identity: { when },
          preview: (line) =>
            line.json === null
              ? line
              : keepItems(line, parsed.matches({ ...line, json: line.json }), endpoint.many),
          async apply(line) {
            const { json, sources } = line;
            if (json === null) return line;
            const keeps: boolean[] = [];
            for (const one of parsed.judgements({ json, sources })) {
              keeps.push(one === true);
              if (one === null) undecided += 1;
              await breathe?.();
            }
            return keepItems(line, keeps, endpoint.many);
          },
          summary: () =>
            undecided === 0
              ? []
              : [`Omitted by ${name}: ${quantity(undecided, 'item')} with an unknown value.`],
        };
      },
    };
  },
} satisfies Step<ConditionValues>;
