import { useState } from 'react';
import { harmless } from '../diff/harmless.js';
import { answer, clientOf } from '../link/page-client.js';
import { useAsked } from './asked.js';
import { Empty } from './empty.js';
import { addressOf } from './route.js';
import { ago } from './time.js';

/** All workspaces of the daemon, the one that was used last first, with what waits in each. */
export function WorkspacesView() {
  const [client] = useState(() => clientOf());
  const asked = useAsked((signal) => answer(client.listWorkspaces({ signal })), [client]);
  if (asked.state === 'refused')
    return (
      <Empty title="This page was not let in">
        <p>
          Run <code>pal ui</code> in a terminal: it opens a new one.
        </p>
      </Empty>
    );
  const known = [...(asked.value?.workspaces ?? [])].sort((a, b) => ((a.usedAt ?? '') < (b.usedAt ?? '') ? 1 : -1));
  return (
    <main className="plain">
      <h1>Palimpsest</h1>
      {asked.state === 'told' && known.length === 0 ? (
        <Empty title="No workspaces yet">
          <p>
            <code>pal status</code> in a folder makes one of it.
          </p>
        </Empty>
      ) : null}
      <ul className="workspaces">
        {known.map(({ id, root, there, waiting, usedAt }) => (
          <li key={id}>
            <a href={addressOf(id, 'review')} className={there ? '' : 'gone'}>
              <strong>{harmless(root.slice(root.lastIndexOf('/') + 1))}</strong>
              <span className="who">{harmless(root)}</span>
              <span className="waits">{waitsText(waiting)}</span>
              <span className="who">{usedAt === null ? '' : ago(usedAt)}</span>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function waitsText(waiting: { readonly changes: number; readonly conflicts: number } | null): string {
  if (waiting === null) return '';
  const { changes, conflicts } = waiting;
  if (changes + conflicts === 0) return 'nothing waits';
  return `${changes} to review${conflicts === 0 ? '' : `, ${conflicts} in conflict`}`;
}
