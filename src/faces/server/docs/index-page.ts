import { endpoints } from '../../../../lib/endpoints.js';
import { brandList, brandOf, platforms } from '../../../../lib/platforms.js';
import { markdownTable } from '../../../output/markdown-table.js';
import { guideSections, guideSummary } from './guides.js';
import { operationTable } from './operation-pages.js';
import { samplesMarkdown } from './samples.js';

const guideLists = () =>
  guideSections
    .map(({ title, guides }) => {
      const rows = guides.map((name) => {
        const guide = guideSummary(name);
        return [`[${guide.title}](/docs/guides/${name})`, guide.summary];
      });
      return `## ${title}\n\n${markdownTable(['Guide', 'What it is about'], rows)}`;
    })
    .join('\n\n');

const endpointLists = () =>
  platforms
    .map((platform) => {
      const rows = endpoints
        .filter((endpoint) => endpoint.platform === platform)
        .map(({ path, summary, credits }) => [`[\`${path}\`](/docs/endpoints/${path})`, summary, credits]);
      return `## ${brandOf(platform)}\n\n${markdownTable(['Endpoint', 'What it returns', 'Credits'], rows)}`;
    })
    .join('\n\n');

export function indexPage(base: string): string {
  return `# Documentation

Get structured data from public ${brandList} pages. Every endpoint is a \`GET\` below \`/v1\` with its parameters in the query
string, and returns \`{"data": …, "meta": …}\`. With \`demo=true\` it returns sample data, free and without a key:

${samplesMarkdown({ address: `/v1/${endpoints[0]?.path}?query=coffee&demo=true`, keyed: false, reads: true }, base)}

Continue with the [Quickstart](/docs/guides/quickstart) for real data.

${endpointLists()}

${guideLists()}

## Account, jobs and webhooks

${operationTable()}
`;
}
