import { invalidParameter } from '../../../../lib/errors/extract-error.js';
import type { Times } from '../../../service/schedule/timetable.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns the five cron fields for times. Throws `invalid_parameter` for an interval that cron cannot express. */
export function cronFields(times: Times): string {
  if ('cron' in times) return times.cron.startsWith('@') ? times.cron : numberedCron(times.cron);
  const { interval } = times;
  if (interval === 7 * day) return '0 6 * * 1';
  if (interval === day) return '0 6 * * *';
  if (interval < hour && hour % interval === 0) return `*/${interval / minute} * * * *`;
  if (interval === hour) return '0 * * * *';
  if (interval < day && interval % hour === 0 && day % interval === 0) return `0 */${interval / hour} * * *`;
  throw invalidParameter(
    'cron only supports intervals that divide an hour or a day, days, and weeks. Choose one of them, or days and a time such as "monday 08:00".',
  );
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const names: Readonly<Record<string, number>> = {
  ...Object.fromEntries(weekdays.map((name, index) => [name.toUpperCase(), index])),
  ...Object.fromEntries(
    ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'].map(
      (name, index) => [name, index + 1],
    ),
  ),
};

/** Names become numbers: a range of days cannot end with Sunday as 0, and not every cron accepts ranges of names. */
const numbered = (field: string) =>
  field
    .toUpperCase()
    .replaceAll('-SUN', '-7')
    .replaceAll(/[A-Z]+/g, (name) => String(names[name] ?? name));

/** Returns five fields that every cron accepts. Throws for words that only some know. */
function numberedCron(cron: string): string {
  calendarsOf(cron);
  return cron.replaceAll('?', '*').split(' ').map(numbered).join(' ');
}

/** Returns the numbers of a cron field; null for all. Throws for words that only some crons know. */
function numbersOf(field: string, [from, to]: readonly [number, number]): readonly number[] | null {
  if (field === '*' || field === '?') return null;
  const values = new Set<number>();
  for (const part of numbered(field).split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const [first = '', last] = range.split('-');
    const numberOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN);
    const begin = range === '*' ? from : numberOf(first);
    const end = range === '*' || (last === undefined && part.includes('/')) ? to : numberOf(last ?? first);
    if (Number.isNaN(begin) || Number.isNaN(end) || Number(step) < 1) {
      throw invalidParameter(
        `The schedule has ${JSON.stringify(field)}, which this machine's scheduler does not support.`,
      );
    }
    for (let one = begin; one <= end; one += Number(step)) values.add(one);
  }
  return [...values].sort((one, other) => one - other);
}

/** The fields of cron as numbers; null for all. Sunday is 0. */
interface Calendar {
  readonly minutes: readonly number[] | null;
  readonly hours: readonly number[] | null;
  readonly days: readonly number[] | null;
  readonly months: readonly number[] | null;
  readonly weekdays: readonly number[] | null;
}

/**
 * Returns two calendars if both the day of the month and the day of the week are set, because a date may match either.
 */
function calendarsOf(cron: string): readonly Calendar[] {
  const [minutes = '*', hours = '*', days = '*', months = '*', week = '*'] = cron.split(' ');
  const sundays = numbersOf(week, [0, 7])?.map((one) => one % 7) ?? null;
  const calendar = {
    ...{ minutes: numbersOf(minutes, [0, 59]), hours: numbersOf(hours, [0, 23]) },
    ...{ days: numbersOf(days, [1, 31]), months: numbersOf(months, [1, 12]) },
    weekdays: sundays === null ? null : [...new Set(sundays)].sort((one, other) => one - other),
  };
  if (calendar.days === null || calendar.weekdays === null) return [calendar];
  return [
    { ...calendar, weekdays: null },
    { ...calendar, days: null },
  ];
}

const two = (value: number) => String(value).padStart(2, '0');
const listText = (values: readonly number[] | null) => (values === null ? '*' : values.map(two).join(','));

/** Returns the lines of a systemd timer for times. */
export function systemdTimes(times: Times): readonly string[] {
  if ('interval' in times) return ['OnActiveSec=1min', `OnUnitActiveSec=${times.interval / 1000}s`];
  return calendarsOf(times.cron).map(({ minutes, hours, days, months, weekdays: week }) => {
    const on = week === null ? '' : `${week.map((one) => weekdays[one]).join(',')} `;
    return `OnCalendar=${on}*-${listText(months)}-${listText(days)} ${listText(hours)}:${listText(minutes)}:00`;
  });
}

const maxMoments = 200;

/** Converts times for launchd: seconds between runs, or calendar moments. Throws if launchd cannot express them. */
export function launchdTimes(
  times: Times,
): { readonly seconds: number } | { readonly moments: readonly Readonly<Record<string, number>>[] } {
  if ('interval' in times) return { seconds: times.interval / 1000 };
  const moments = calendarsOf(times.cron).flatMap((calendar) => {
    const parts: readonly (readonly [string, readonly number[] | null])[] = [
      ['Month', calendar.months],
      ['Day', calendar.days],
      ['Weekday', calendar.weekdays],
      ['Hour', calendar.hours],
      ['Minute', calendar.minutes],
    ];
    let combined: Record<string, number>[] = [{}];
    for (const [name, values] of parts) {
      if (values === null) continue;
      if (combined.length * values.length > maxMoments) {
        throw invalidParameter('launchd would need too many start times. Choose an interval such as 15m.');
      }
      combined = combined.flatMap((moment) => values.map((value) => ({ ...moment, [name]: value })));
    }
    return combined;
  });
  return { moments };
}
