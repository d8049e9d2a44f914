import type { Endpoint } from '../../lib/endpoint.js';
import { systemClock } from '../../lib/runtime/clock.js';
import type { StepPorts } from '../../src/lines/step.js';

const unused = (): never => {
  throw new Error('no step of this test uses it');
};

/** Ports of steps; a test provides the ones that its steps use. */
export const testPorts = (endpoint: Endpoint, more: Partial<StepPorts> = {}): StepPorts => ({
  ...{ endpoint, home: '/nonexistent', clock: systemClock, signal: new AbortController().signal },
  ...{
    seenMemory: unused,
    history: unused,
    media: unused,
    alerts: unused,
    journal: async () => null,
    suppressed: async () => null,
  },
  ...more,
});
