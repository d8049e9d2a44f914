import type { Step } from './step.js';
import { captions } from './steps/captions.js';
import { condition } from './steps/condition.js';
import { dedupe } from './steps/dedupe.js';
import { evidence } from './steps/evidence.js';
import { history } from './steps/history.js';
import { media } from './steps/media.js';
import { notices } from './steps/notices.js';
import { onlyNew } from './steps/only-new.js';
import { pseudonyms } from './steps/pseudonyms.js';
import { suppressed } from './steps/suppressed.js';

/** The steps, in the order in which they process a line. */
const table = [
  evidence,
  suppressed,
  history,
  onlyNew,
  condition,
  dedupe,
  pseudonyms,
  media,
  captions,
  notices,
] as const;

export const steps: readonly Step[] = table;

export type StepRow = (typeof table)[number];
