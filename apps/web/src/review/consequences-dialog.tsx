import type { ChangeJson } from '@palimpsest/protocol';
import { harmless } from '../diff/harmless.js';
import { Dialog } from '../frame/dialog.js';
import type { Consequences } from './use-verdicts.js';

/** Says what a reject takes along before it is done. */
export function ConsequencesDialog(props: {
  readonly asked: Consequences;
  readonly changes: readonly ChangeJson[];
  readonly answer: (how: 'yes' | 'no') => void;
}) {
  const { asked, changes, answer } = props;
  const nameOf = (id: string) => {
    const change = changes.find((one) => one.id === id || one.hunks.some((hunk) => hunk.id === id));
    return change === undefined ? id : `${harmless(change.path)} (${change.tool ?? 'unknown'}, ${id})`;
  };
  return (
    <Dialog title={`Reject ${asked.meant.what}?`} onClose={() => answer('no')}>
      <Listed title="Rejected along with it, since it rests on that text:" names={asked.cascaded.map(nameOf)} />
      <Listed title="In conflict with what came later; left as it is:" names={asked.conflicts.map(nameOf)} />
      <Listed title="Not taken back:" names={asked.left.map(({ id, why }) => `${nameOf(id)}: ${harmless(why)}`)} />
      <Listed title="Files that would be gone:" names={asked.deleted.map(harmless)} />
      <footer>
        <button type="button" onClick={() => answer('no')}>
          Leave it
        </button>
        <button type="button" className="bad" onClick={() => answer('yes')}>
          Reject
        </button>
      </footer>
    </Dialog>
  );
}

function Listed({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </>
  );
}
