import { userInfo } from 'node:os';
import type { Operator } from '../../service/audit/audit-log.js';

/** The system's name for the user; a container may have a number without a name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** The operator at this terminal, as the audit log names them. */
export function commandOperator(): Operator {
  return { via: 'command', login: loginName() };
}
