import { useState } from 'react';
import { harmless } from '../diff/harmless.js';
import { useAsked } from '../frame/asked.js';
import { Dialog } from '../frame/dialog.js';
import { useSays } from '../frame/says.js';
import type { LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';

/** Shows what going back comes to, and does exactly that: the plan's token is refused if anything has moved since. */
export function RestoreDialog(props: {
  readonly workspace: LiveWorkspace;
  readonly checkpoint: string;
  readonly onClose: () => void;
}) {
  const { workspace, checkpoint, onClose } = props;
  const { client } = workspace;
  const { say, attempt } = useSays();
  const [keepMine, setKeepMine] = useState(true);
  const plan = useAsked(
    (signal) => answer(client.planRestore({ params: { checkpoint }, body: { keepMine }, signal })),
    [client, checkpoint, keepMine],
  );
  const restore = (token: string) =>
    attempt(async () => {
      onClose();
      const done = await answer(client.restoreCheckpoint({ params: { checkpoint }, body: { keepMine, token } }));
      void workspace.look();
      const text = `Back at ${checkpoint}: ${done.written.length} written, ${done.deleted.length} removed`;
      say({ tone: 'good', text, hint: 'undo brings everything back' });
    });
  const told = plan.state === 'told' ? plan.value : null;
  return (
    <Dialog title={`Go back to ${checkpoint}`} onClose={onClose}>
      <fieldset>
        <label>
          <input type="radio" name="way" checked={keepMine} onChange={() => setKeepMine(true)} /> take back what agents
          did, and keep my edits
        </label>
        <label>
          <input type="radio" name="way" checked={!keepMine} onChange={() => setKeepMine(false)} /> exactly as it was
          then
        </label>
      </fieldset>
      {plan.state === 'refused' ? <p className="bad-text">{plan.why}</p> : null}
      {told === null ? null : (
        <>
          <Paths title="Written" paths={told.writes} />
          <Paths title="Removed" paths={told.deletes} />
          <Paths title="With edits of yours that would go" paths={told.yours} />
          <Paths
            title="In conflict, left as they are"
            paths={told.conflicts.map(({ path, reason }) => `${path}: ${reason}`)}
          />
          <Paths title="Not covered" paths={told.uncovered.map(({ path, reason }) => `${path}: ${reason}`)} />
          {told.writes.length + told.deletes.length === 0 ? <p>Everything is as it was then already.</p> : null}
        </>
      )}
      <footer>
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" className="bad" disabled={told === null} onClick={() => told && restore(told.token)}>
          Go back
        </button>
      </footer>
    </Dialog>
  );
}

const MOST = 12;

function Paths({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <>
      <p>
        {title} ({paths.length})
      </p>
      <ul>
        {paths.slice(0, MOST).map((path) => (
          <li key={path}>{harmless(path)}</li>
        ))}
        {paths.length > MOST ? <li>… and {paths.length - MOST} more</li> : null}
      </ul>
    </>
  );
}
