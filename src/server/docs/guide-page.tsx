import { type GuideName, guideHtml, guideSummary } from './guides.js';
import { Page } from './parts.js';

/** A guide: a file of `docs/`. */
export function GuidePage({ name, base }: { readonly name: GuideName; readonly base: string }) {
  return (
    <Page title={guideSummary(name).title}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the file is part of the program */}
      <div dangerouslySetInnerHTML={{ __html: guideHtml(name, base) }} />
    </Page>
  );
}
