import type { State } from '../../../service/health/endpoint-state.js';
import type { EndpointReport } from '../../../service/health/health-report.js';
import { Badge, Notice, type Tone } from './status.js';

/** An endpoint's path, which may break after its slash and nowhere else. */
export function EndpointName({ path }: { path: string }) {
  const [platform, name] = path.split('/');
  if (name === undefined) return platform;
  return (
    <>
      {platform}/<wbr />
      {name}
    </>
  );
}

const tones: Readonly<Record<State, Tone>> = {
  ok: 'good',
  degraded: 'busy',
  refused: 'bad',
  changed: 'bad',
  unknown: 'plain',
};

/** How an endpoint is doing, in a word. */
export function StateBadge({ state }: { state: State }) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}

const isTroubled = ({ state }: EndpointReport) => state !== 'ok' && state !== 'unknown';

/** Which endpoints are in trouble now; nothing where none is. */
export function TroubleNotice({ reports }: { reports: readonly EndpointReport[] }) {
  const notOk = reports.filter(isTroubled);
  if (notOk.length === 0) return null;
  const list = notOk.map(({ endpoint, state }) => `${endpoint} (${state})`).join(', ');
  return (
    <Notice kind="note">
      Not ok at the moment: {list}. See <a href="/status">the status page</a>.
    </Notice>
  );
}
