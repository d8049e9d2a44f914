import type { ErrorType } from './extract-error.js';

/** Class of error → exit status of the command line. 0 is done, 7 a batch with failed lines, 130 interrupted. */
export const exitStatus: Readonly<Record<ErrorType, number>> = {
  internal: 1,
  invalid_request: 2,
  conflict: 2,
  authentication: 3,
  permission: 3,
  billing: 3,
  not_found: 4,
  gone: 4,
  platform: 5,
  rate_limit: 6,
};
