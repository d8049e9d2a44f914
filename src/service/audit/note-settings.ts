import type { ActDetails } from './audit-log.js';
import type { AuditStore } from './audit-store.js';

/** Records a server's storage settings if they differ from those last recorded. */
export async function noteSettings(log: AuditStore, settings: ActDetails): Promise<void> {
  const [last] = await log.list({ act: 'settings.change', limit: 1 });
  if (JSON.stringify(last?.details) === JSON.stringify(settings)) return;
  await log.note({ act: 'settings.change', details: settings });
}
