import { userInfo } from 'node:os';
import type { Operator } from '../../service/audit/audit-log.js';

/** Returns the system's name for the user; in a container it may be a number without a name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Returns the operator at this terminal, as named in the audit log. */
export function commandOperator(): Operator {
  return { via: 'command', login: loginName() };
}
