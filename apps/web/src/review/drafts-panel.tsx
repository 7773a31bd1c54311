import { harmless } from '../diff/harmless.js';
import type { Draft, Drafts } from './use-drafts.js';

/** What was said so far, and goes to the agents together. */
export function DraftsPanel({ drafts }: { readonly drafts: Drafts }) {
  if (drafts.all.length === 0) return null;
  return (
    <section className="drafts" aria-label="Comments that are not sent yet">
      <ul>
        {drafts.all.map((draft) => (
          <li key={`${draft.path} ${draft.lines?.join()} ${draft.text}`}>
            <span className="where">{placeOf(draft)}</span>
            {draft.excerpt === undefined ? null : <code>{harmless(draft.excerpt.split('\n', 1)[0]!)}</code>}
            <span className="said">{harmless(draft.text)}</span>
            <button type="button" className="quiet" aria-label="Drop this comment" onClick={() => drafts.remove(draft)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="good" onClick={drafts.send}>
        Send {drafts.all.length === 1 ? 'it' : `all ${drafts.all.length}`} to the agent
      </button>
    </section>
  );
}

function placeOf({ path, lines }: Draft): string {
  const at = lines === undefined ? '' : lines[0] === lines[1] ? `:${lines[0]}` : `:${lines[0]}-${lines[1]}`;
  return `${harmless(path)}${at}`;
}
