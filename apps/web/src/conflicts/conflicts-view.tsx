import type { ChangeJson } from '@palimpsest/protocol';
import { useEffect, useState } from 'react';
import { harmless } from '../diff/harmless.js';
import { useAsked } from '../frame/asked.js';
import { Empty } from '../frame/empty.js';
import { useSays } from '../frame/says.js';
import { shownText } from '../link/contents.js';
import type { Live, LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';

/** What could not be merged: base, both sides, and a result that can be edited. */
export function ConflictsView({ workspace, live }: { readonly workspace: LiveWorkspace; readonly live: Live }) {
  if (live.conflicts.length === 0)
    return (
      <Empty title="No conflicts">
        <p>
          What cannot be taken back around your edits shows up here, with both sides; nothing is written until you say.
        </p>
      </Empty>
    );
  return (
    <div className="conflicts">
      {live.conflicts.map((change) => (
        <ConflictPanel key={change.id} change={change} workspace={workspace} />
      ))}
    </div>
  );
}

type Side = 'base' | 'ours' | 'theirs';
const SIDES: readonly (readonly [Side, string])[] = [
  ['ours', 'as it is now'],
  ['base', 'as the agent left it'],
  ['theirs', 'without the change'],
];

function ConflictPanel({ change, workspace }: { readonly change: ChangeJson; readonly workspace: LiveWorkspace }) {
  const { client } = workspace;
  const { say, attempt } = useSays();
  const { conflict } = change;
  const asked = useAsked(async () => {
    const text = async (side: Side) =>
      (await shownText(client, conflict?.[side] ?? null, change.path)).lines.join('\n');
    return { base: await text('base'), ours: await text('ours'), theirs: await text('theirs') };
  }, [client, change.id, conflict?.ours, conflict?.theirs]);
  const [result, setResult] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conflict begins with its own text.
  useEffect(() => setResult(null), [conflict?.ours]);
  const resolve = (body: Parameters<typeof client.resolveConflict>[0]['body'], how: string) =>
    attempt(async () => {
      await answer(client.resolveConflict({ params: { change: change.id }, body }));
      void workspace.look();
      say({ tone: 'good', text: `Settled ${harmless(change.path)}: ${how}`, hint: 'undo takes it back' });
    });
  const texts = asked.value;
  return (
    <article className="conflict" aria-label={harmless(change.path)}>
      <header className="group">
        <h2>{harmless(change.path)}</h2>
        <span className="who">{harmless(conflict?.reason ?? '')}</span>
      </header>
      <div className="sides">
        {SIDES.map(([side, words]) => (
          <section key={side} aria-label={words}>
            <h3>{words}</h3>
            <pre>{harmless(texts?.[side] ?? '…')}</pre>
            {side === 'base' ? null : (
              <button type="button" onClick={() => resolve({ take: side }, words)}>
                Take this
              </button>
            )}
          </section>
        ))}
      </div>
      <label>
        Or write the result:
        <textarea rows={10} value={result ?? texts?.ours ?? ''} onChange={(event) => setResult(event.target.value)} />
      </label>
      <button
        type="button"
        className="good"
        disabled={result === null}
        onClick={() =>
          resolve({ base64: base64Of(`${result}${result!.endsWith('\n') ? '' : '\n'}`) }, 'with your text')
        }
      >
        Use my text
      </button>
    </article>
  );
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
