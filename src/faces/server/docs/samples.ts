import { fenced } from '../../../output/markdown-table.js';
import { requestSamples } from '../../../output/request-samples.js';
import type { SampleRequest } from '../../../output/sample-request.js';

/** Builds a request for curl, JavaScript and Python, shown as tabs. */
export function samplesMarkdown(request: SampleRequest, base: string): string {
  return requestSamples(request, base)
    .map(({ label, language, text }) => fenced(`${language} ${label}`, text))
    .join('\n\n');
}
