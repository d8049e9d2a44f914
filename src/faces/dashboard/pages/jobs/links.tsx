import { Code } from '../../../../output/site/code.js';
import { Notice } from '../../../../output/site/status.js';
import type { LinkKind, SharedLink } from '../../../../service/jobs/links/link-objects.js';
import { Layout } from '../../parts/layout.js';
import { LinksPanel } from '../../parts/links.js';
import { Panel } from '../../parts/panel.js';

export interface LinkTarget {
  readonly title: string;
  readonly above: readonly { readonly title: string; readonly href: string }[];
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

/** The only page that shows a link's URLs: the response to the form that created it. */
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
    <Layout
      title={kind === 'feed' ? 'Your feed' : 'Your table'}
      above={[...above, { title: 'Links', href: path }]}
      lead={`Of ${title}.`}
    >
      <Notice kind="note">
        <p>
          <b>It is only shown once.</b> Copy it now; we do not store it.
        </p>
      </Notice>
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
      <p>
        <a href={path}>Back to the links</a>
      </p>
    </Layout>
  );
}
