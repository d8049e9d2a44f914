import type { Environment } from '../../../lib/config-values.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { settingComplaints } from '../../config/check-settings.js';
import { canarySet } from '../../service/health/canary-set.js';
import { type Finding, failed, ok, warning } from './finding.js';

/** Checks the settings: names, values, contradictions, and the operator's canary file. */
export async function checkSettings(
  endpoints: readonly Endpoint[],
  canaries: string | undefined,
  env?: Environment,
): Promise<readonly Finding[]> {
  const complaints = settingComplaints(endpoints, env);
  const findings = complaints.map(({ isWrong, message, next }) =>
    (isWrong ? failed : warning)('settings', message, next),
  );
  if (canaries !== undefined && findings.every(({ status }) => status !== 'failed')) {
    try {
      await canarySet(canaries, endpoints);
    } catch (cause) {
      if (!(cause instanceof ExtractError)) throw cause;
      findings.push(failed('settings', cause.message, 'Correct the file of EXTRACT_CANARIES.'));
    }
  }
  return findings.length === 0 ? [ok('settings', 'all recognized, no conflicts')] : findings;
}
