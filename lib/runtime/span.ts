/**
 * Runs a step of the work as a span of the operator's trace. The span ends with the work, and a rejection marks it as
 * failed. Attributes carry ids and names, never parameters, addresses of pages or secrets.
 */
export type Span = <T>(
  name: 'extract.call' | 'extract.page' | 'extract.settle' | 'extract.job' | 'extract.webhook',
  attributes: Readonly<Record<string, string | number>>,
  work: () => Promise<T>,
) => Promise<T>;

/** Runs a step within a span, or as it is where nobody traces. */
export function inSpan<T>(
  span: Span | undefined,
  name: Parameters<Span>[0],
  attributes: Parameters<Span>[1],
  work: () => Promise<T>,
): Promise<T> {
  return span === undefined ? work() : span(name, attributes, work);
}
