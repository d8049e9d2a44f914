import { endpoints } from '../../../../lib/endpoints.js';
import { Callout } from '../../../output/site/status.js';
import type { EndpointReport } from '../../../service/health/health-report.js';

/** The options of a select of endpoints. */
export const endpointOptions = endpoints.map(({ path, title }) => ({
  value: path,
  label: `${title}: ${path}`,
}));

const isTroubled = ({ state }: EndpointReport) => state !== 'ok' && state !== 'unknown';

/** The endpoints that currently have trouble; renders nothing if there are none. */
export function TroubleCallout({ reports }: { reports: readonly EndpointReport[] }) {
  const notOk = reports.filter(isTroubled);
  if (notOk.length === 0) return null;
  const list = notOk.map(({ endpoint, state }) => `${endpoint} (${state})`).join(', ');
  return (
    <Callout kind="note">
      Currently failing: {list}. See <a href="/status">the status page</a>.
    </Callout>
  );
}
