/**
 * Runs a step as a span of the operator's trace. The span ends with the step, and a rejection marks it as failed.
 * Attributes hold ids and names, never parameters, page addresses or secrets.
 */
export type Span = <T>(
  name: 'extract.call' | 'extract.page' | 'extract.settle' | 'extract.job' | 'extract.webhook',
  attributes: Readonly<Record<string, string | number>>,
  work: () => Promise<T>,
) => Promise<T>;

/** Runs a step within a span; directly if tracing is off. */
export function inSpan<T>(
  span: Span | undefined,
  name: Parameters<Span>[0],
  attributes: Parameters<Span>[1],
  work: () => Promise<T>,
): Promise<T> {
  return span === undefined ? work() : span(name, attributes, work);
}
