import type { Step } from './step.js';
import { condition } from './steps/condition.js';
import { pseudonyms } from './steps/pseudonyms.js';

/** The table of steps, in the order in which a line passes them. */
export const steps: readonly Step[] = [condition, pseudonyms];
