/** The schedulers of a machine that can start a watch at its times. */
export const schedulers = ['systemd', 'cron', 'launchd'] as const;
export type Scheduler = (typeof schedulers)[number];
