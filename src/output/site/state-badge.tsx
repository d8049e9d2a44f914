import { stateBadge } from './status.js';

/** The state of an endpoint. */
export const StateBadge = stateBadge({
  ok: ['good', 'OK'],
  degraded: ['busy', 'Degraded'],
  unreachable: ['bad', 'Unreachable'],
  refused: ['bad', 'Refused'],
  changed: ['bad', 'Changed'],
  unknown: ['plain', 'Unknown'],
});
