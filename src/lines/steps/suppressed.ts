import { isRecord } from '../../../lib/read/json.js';
import { quantity } from '../../output/number-text.js';
import { keepItems, type Line } from '../line.js';
import { parsedSources, type Step } from '../step.js';

/** Leaves suppressed subjects out of existing results. Calls omit them before returning an answer. */
export const suppressed: Step<Readonly<Record<never, never>>> = {
  name: 'suppressed',
  kinds: ['convert'],
  options: {},
  request(_, { kind, endpoint }) {
    if (kind !== 'convert') return null;
    return {
      async open(ports) {
        const subjects = await ports.suppressed();
        if (subjects === null) return {};
        let count = 0;
        return {
          summary: () => (count === 0 ? [] : [`Skipped ${quantity(count, 'item')} of suppressed subjects.`]),
          apply<L extends Line>(line: L): L {
            const input: unknown = JSON.parse(line.item.echo);
            const data: unknown = line.json === null ? null : JSON.parse(line.json);
            const items = line.json === null ? [] : endpoint.many ? (data as readonly unknown[]) : [data];
            const sources = parsedSources(line);
            const isSuppressed = isRecord(input) && subjects.isSubjectOf(endpoint, input);
            const keeps = items.map(
              (item, at) => !isSuppressed && !subjects.names(endpoint, item, sources[at]),
            );
            count += keeps.filter((keep) => !keep).length;
            if (isSuppressed) return { ...line, json: 'null', error: null, leftOut: items.length };
            return keepItems(line, keeps, endpoint.many);
          },
        };
      },
    };
  },
};
