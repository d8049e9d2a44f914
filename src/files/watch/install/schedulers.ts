export const schedulers = ['systemd', 'cron', 'launchd'] as const;
export type Scheduler = (typeof schedulers)[number];
