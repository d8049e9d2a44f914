/** Returns a path with these parameters, without those that are null or undefined. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const params = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return params.length === 0 ? path : `${path}?${new URLSearchParams(params)}`;
}
