const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const joined = (first: string, rest: number, unit: string) =>
  rest === 0 ? first : `${first} ${rest} ${unit}`;

/** Formats seconds as people say them: “40 s”, “5 min”, “1 h 7 min”, “7 days”. */
export function duration(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / minute);
  if (minutes < 100) return `${minutes} min`;
  if (seconds < 2 * day) return joined(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
  const hours = Math.round(seconds / hour);
  return joined(`${Math.floor(hours / 24)} days`, seconds < 7 * day ? hours % 24 : 0, 'h');
}
