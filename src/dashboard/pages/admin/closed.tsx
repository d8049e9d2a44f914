import type { Frame } from '../../context.js';
import { SmallLayout } from '../../parts/layout.js';

/** The operator's pages are not open to this browser. */
export function AdminClosedPage({ frame }: { frame: Frame }) {
  return (
    <SmallLayout
      frame={frame}
      title="For the operator"
      lead="This page opens with the link that “extract serve” prints when it starts."
    >
      <ul className="plain-list">
        <li>The link works once, for an hour; what it opens stays open for twelve.</li>
        <li>Start the server again to have another one.</li>
      </ul>
      <p>
        <a href="/dashboard">To the dashboard</a>
      </p>
    </SmallLayout>
  );
}
