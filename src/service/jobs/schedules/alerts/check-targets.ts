import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { maxTargets, parseTarget, type Target } from '../../../notify/target.js';
import type { Targets } from '../../webhooks/targets.js';

/** Parses the field `notify` of a job. Throws `invalid_parameter`, `webhook_url_not_https`. */
export function parseNotify(value: unknown): readonly Target[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length === 0 || value.length > maxTargets) {
    throw new ExtractError(
      'invalid_parameter',
      `The field notify must be a list of 1 to ${maxTargets} targets.`,
    );
  }
  return value.map((one) => {
    const target = parseTarget(typeof one === 'string' ? one : '');
    if (target.kind !== 'mail' && !target.address.startsWith('https:')) {
      throw new ExtractError('webhook_url_not_https');
    }
    return target;
  });
}

/** Resolves with an account's confirmed address; null for none. */
export type EmailOf = (account: string) => Promise<string | null>;

/**
 * Checks that an account may send notices to these targets: public addresses, and only its own confirmed e-mail
 * address. Rejects `webhook_url_not_allowed`, `invalid_parameter`.
 */
export async function checkTargets(
  account: string,
  targets: readonly Target[],
  guard: Pick<Targets, 'check'>,
  emailOf: EmailOf,
): Promise<void> {
  for (const { kind, address } of targets) {
    if (kind !== 'mail') await guard.check(address);
    else if (address.toLowerCase() !== (await emailOf(account))?.toLowerCase()) {
      throw new ExtractError(
        'invalid_parameter',
        'Alerts by e-mail can only go to the address of the account.',
      );
    }
  }
}
