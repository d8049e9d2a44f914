import { exitStatus, isRetryable } from '../../../../lib/errors/catalogue.js';
import { catalogue, type ErrorCode } from '../../../../lib/errors/extract-error.js';
import { causesOf, guideOf } from '../../../output/error-guide.js';
import { markdownTable } from '../../../output/markdown-table.js';

export const errorCodes = Object.keys(catalogue) as ErrorCode[];

export function errorTable(codes: readonly ErrorCode[]): string {
  return markdownTable(
    ['Code', 'Status', 'Type', 'Meaning'],
    codes.map((code) => {
      const { status, type, summary } = catalogue[code];
      return [`[\`${code}\`](/docs/errors/${code})`, status, `\`${type}\``, summary];
    }),
  );
}

export function errorsPage(): string {
  return `# Error codes

Every error is an object with \`type\`, \`code\`, \`message\`, \`docs\` and \`request_id\`. Codes are stable; messages may change. A
call that fails is free: the charge is refunded. [Errors and retries](/docs/guides/errors-and-retries) says which to retry.

${errorTable(errorCodes)}
`;
}

/** Builds the page that `error.docs` of a code links to. */
export function errorPage(code: ErrorCode): string {
  const { status, type, summary, next } = catalogue[code];
  const [causes, guide] = [causesOf(code), guideOf(code)];
  return `# ${code}

${summary}
${causes.length === 0 ? '' : `\n## Causes\n\n${causes.map((cause) => `- ${cause}`).join('\n')}\n`}${guide === null ? '' : `\n## How to tell\n\n${guide.tell}\n`}
## What to do

${next} ${isRetryable(code) ? 'The same call may succeed later.' : 'The same call will fail again.'}
${guide === null ? '' : `\n\`\`\`sh\n${guide.example}\n\`\`\`\n`}
## Where it appears

${markdownTable(
  ['Where', 'As'],
  [
    ['HTTP status', status],
    ['`error.type`', `\`${type}\``],
    ['Exit status of the command line', exitStatus[type]],
  ],
)}

All codes: [Error codes](/docs/errors).
`;
}
