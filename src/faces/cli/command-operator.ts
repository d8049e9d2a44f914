import { userInfo } from 'node:os';
import type { Operator } from '../../service/audit/audit-log.js';

/** Returns the user's login name; in a container the user may have none. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

export function commandOperator(): Operator {
  return { via: 'command', login: loginName() };
}
