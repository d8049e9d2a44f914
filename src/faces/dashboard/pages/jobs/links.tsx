import { Code } from '../../../../output/site/code.js';
import type { LinkKind, SharedLink } from '../../../../service/jobs/links/link-objects.js';
import { Layout, type PageLink } from '../../parts/layout.js';
import { LinksPanel } from '../../parts/links.js';
import { SecretLayout } from '../../parts/pages-below.js';
import { Panel } from '../../parts/panel.js';

export interface LinkTarget {
  readonly title: string;
  readonly above: readonly PageLink[];
  /** Path of the page about its links. */
  readonly path: string;
  readonly kinds: readonly LinkKind[];
}

export function LinksPage({
  linked: { title, above, path, kinds },
  links,
}: {
  readonly linked: LinkTarget;
  readonly links: readonly SharedLink[];
}) {
  return (
    <Layout
      title={`Links to ${title}`}
      above={above}
      lead="Anyone with the URL of a link can read this without a key, and nothing else. A revoked link stops working."
    >
      <LinksPanel {...{ path, kinds, links }} />
      <p>
        <a href="/docs/guides/spreadsheets">Spreadsheets</a> · <a href="/docs/guides/feeds">Feeds</a>
      </p>
    </Layout>
  );
}

export function NewLinkPage({
  linked: { title, above, path },
  kind,
  urls,
}: {
  readonly linked: LinkTarget;
  readonly kind: LinkKind;
  readonly urls: readonly string[];
}) {
  const [url = '', jsonUrl = ''] = urls;
  return (
    <SecretLayout
      title={kind === 'feed' ? 'Your feed' : 'Your table'}
      above={[...above, { title: 'Links', href: path }]}
      lead={`Of ${title}.`}
    >
      <Panel title="URL">
        <Code label={kind === 'feed' ? 'Atom' : 'CSV'} text={url} />
        {kind === 'feed' ? <Code label="JSON Feed" text={jsonUrl} /> : null}
        <p className="remark">Anyone who has it can read it, until you revoke it.</p>
      </Panel>
      {kind === 'table' ? (
        <Panel title="Use it">
          <Code label="In a cell of Google Sheets" text={`=IMPORTDATA("${url}")`} />
          <p>
            In Excel and Power BI, use Get Data, From Web.{' '}
            <a href="/docs/guides/spreadsheets">Spreadsheets</a>
          </p>
        </Panel>
      ) : null}
    </SecretLayout>
  );
}
