import * as z from 'zod';
import { counted } from '../../output/number-text.js';
import { keepItems } from '../line.js';
import type { Step } from '../step.js';

interface ConditionValues {
  readonly when?: string | undefined;
}

/** Leaves out items that a condition in CEL is not true of. */
export const condition: Step<ConditionValues> = {
  name: 'condition',
  places: ['call', 'batch', 'area', 'convert', 'job'],
  options: {
    when: {
      shape: z.string(),
      value: 'condition',
      help: 'Keep only items that match this condition, such as "rating <= 2" (CEL)',
    },
  },
  async request({ when }, { endpoint, isForeign, nameOf }) {
    if (when === undefined) return null;
    const name = nameOf('when');
    // Most runs have none, and need no parser of expressions.
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
              : [`Left out by ${name}: ${counted(undecided, 'item')} of which a value is unknown.`],
        };
      },
    };
  },
};
