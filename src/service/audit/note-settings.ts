import type { ActDetails, AuditLog } from './audit-log.js';

/** Notes the settings of what a server keeps, where they are others than those that were noted last. */
export async function noteSettings(log: AuditLog, settings: ActDetails): Promise<void> {
  const [last] = await log.list({ act: 'settings.change', limit: 1 });
  if (JSON.stringify(last?.details) === JSON.stringify(settings)) return;
  await log.note({ act: 'settings.change', details: settings });
}
