import type { ActDetails, AuditLog } from './audit-log.js';

/** Records the settings of what a server stores, if they differ from the last recorded ones. */
export async function noteSettings(log: AuditLog, settings: ActDetails): Promise<void> {
  const [last] = await log.list({ act: 'settings.change', limit: 1 });
  if (JSON.stringify(last?.details) === JSON.stringify(settings)) return;
  await log.note({ act: 'settings.change', details: settings });
}
