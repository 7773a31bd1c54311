import type { CheckpointJson } from '@palimpsest/protocol';
import { useState } from 'react';
import { harmless } from '../diff/harmless.js';
import { useAsked } from '../frame/asked.js';
import { Empty } from '../frame/empty.js';
import { useSays } from '../frame/says.js';
import { ago } from '../frame/time.js';
import type { Live, LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';
import { DifferenceList } from './difference-list.js';
import { RestoreDialog } from './restore-dialog.js';

const REASONS = {
  start: 'start of a session',
  prompt: 'a prompt',
  'before-tool': 'before a call',
  'after-tool': 'after a call',
  manual: 'saved by hand',
  rescue: 'before going back',
} as const;

/** The whole tree at every moment that mattered; two of them compared. */
export function CheckpointsView({ workspace, live }: { readonly workspace: LiveWorkspace; readonly live: Live }) {
  const { client } = workspace;
  const { say, attempt } = useSays();
  const seq = live.status?.seq ?? 0;
  const asked = useAsked((signal) => answer(client.listCheckpoints({ signal })), [client, seq]);
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState('now');
  const [restoring, setRestoring] = useState<string | null>(null);
  const checkpoints = [...(asked.value?.checkpoints ?? [])].reverse();
  if (asked.state === 'refused') return <Empty title={asked.why} />;
  const save = () =>
    attempt(async () => {
      const { checkpoint } = await answer(client.saveCheckpoint({ body: {} }));
      say({ tone: 'good', text: `Saved as ${checkpoint.id}` });
      void workspace.look();
    });
  const chosen = from ?? checkpoints[0]?.id ?? null;
  return (
    <div className="columns">
      <section aria-label="Checkpoints" className="list">
        <button type="button" onClick={save}>
          Save one now
        </button>
        <ul>
          {checkpoints.map((checkpoint) => (
            <CheckpointLine
              key={checkpoint.id}
              checkpoint={checkpoint}
              chosen={chosen === checkpoint.id}
              onChoose={() => setFrom(checkpoint.id)}
            />
          ))}
        </ul>
        {asked.state === 'told' && checkpoints.length === 0 ? <p className="note">None yet.</p> : null}
      </section>
      <section aria-label="Compared" className="detail">
        {chosen === null ? null : (
          <>
            <header className="group">
              <h2>
                {chosen} compared with{' '}
                <select value={to} aria-label="Compared with" onChange={(event) => setTo(event.target.value)}>
                  <option value="now">now</option>
                  {checkpoints.map(({ id }) => (
                    <option key={id}>{id}</option>
                  ))}
                </select>
              </h2>
              <button type="button" className="bad" onClick={() => setRestoring(chosen)}>
                Go back to {chosen} …
              </button>
            </header>
            <DifferenceList client={client} from={chosen} to={to} seq={seq} />
          </>
        )}
      </section>
      {restoring === null ? null : (
        <RestoreDialog workspace={workspace} checkpoint={restoring} onClose={() => setRestoring(null)} />
      )}
    </div>
  );
}

function CheckpointLine(props: {
  readonly checkpoint: CheckpointJson;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}) {
  const { id, reason, message, at, incomplete } = props.checkpoint;
  return (
    <li>
      <button type="button" className="file" aria-pressed={props.chosen} onClick={props.onChoose}>
        <b>{id}</b>
        <span className="name">{message === undefined ? REASONS[reason] : harmless(message)}</span>
        {incomplete ? <span className="badge conflict">incomplete</span> : null}
        <span className="who">{ago(at)}</span>
      </button>
    </li>
  );
}
