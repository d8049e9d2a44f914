/** What starts a watch at its times, beside the programs of a machine that do so. */
export const schedulers = ['systemd', 'cron', 'launchd'] as const;
export type Scheduler = (typeof schedulers)[number];
