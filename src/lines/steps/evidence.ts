import * as z from 'zod';
import { quantity } from '../../output/number-text.js';
import type { Step } from '../step.js';

interface EvidenceValues {
  readonly archive?: string | undefined;
}

/** Stores every exchange of a run as evidence. */
export const evidence: Step<EvidenceValues> = {
  name: 'evidence',
  kinds: ['call', 'batch', 'area', 'grid'],
  options: {
    archive: {
      shape: () => z.string(),
      value: 'file',
      help: 'Keep every exchange with the platform in this archive (.wacz), as evidence; skips the cache',
    },
  },
  request({ archive: file }) {
    if (file === undefined) return null;
    return {
      async openEvidence(clock) {
        const { EvidenceWriter } = await import('../../files/evidence/evidence-writer.js');
        const pages = await EvidenceWriter.open(file, clock);
        return {
          pages,
          async close() {
            const summary = await pages.close();
            if (summary === null) return `No request was made, so there is no archive ${file}.`;
            const { exchanges, samples, digest } = summary;
            const invented =
              samples === 0 ? '' : ` (${samples === exchanges ? 'all' : samples} of sample data)`;
            return `Archive ${file}: ${quantity(exchanges, 'exchange')}${invented}, ${digest}`;
          },
        };
      },
      open: () => ({}),
    };
  },
};
