import { nameOf, type WorkspacePath } from '../path.js';
import type { OpenedBy } from '../views/open-files.js';
import type { Wish } from './phrases.js';
import { type Term, termsOf } from './terms.js';
import { normalized, wishesOf } from './wishes.js';

/** What is known before anything is read: enough to say what is worth reading, and whether git is to be asked. */
export type Situation = {
  readonly prompt: string;
  /** In the order in which they are listed. `isActive`: it was used since the session's prompt before this one. */
  readonly open: readonly OpenFact[];
  /** Files that the prompt names, open or not. */
  readonly named: readonly WorkspacePath[];
  /** Whether the patch ledger has anything. */
  readonly ledger: 'empty' | 'filled';
  /** The last build or test that the session ran, if it failed and files were changed from outside before. */
  readonly failed: string | null;
  /** Files were changed from outside since the session was last asked something. */
  readonly outsideEdits: boolean;
};
export type OpenFact = {
  readonly path: WorkspacePath;
  readonly pinned: boolean;
  readonly by: OpenedBy;
  readonly isActive: boolean;
};

/** What is let in, each with why; null for what is not. */
export type Gates = {
  /** The files to show, in order. */
  readonly files: ReadonlyMap<WorkspacePath, string>;
  readonly diffs: string | null;
  readonly git: string | null;
  readonly retrieval: string | null;
  /** What the prompt names, for retrieval. */
  readonly terms: readonly Term[];
  /** The prompt wants something that files can have to do with; a word of thanks does not. */
  readonly isIdle: boolean;
};

export function gatesOf(situation: Situation): Gates {
  const wishes = wishesOf(situation.prompt);
  const terms = termsOf(situation.prompt);
  const names = terms.filter(({ kind }) => kind === 'name');
  return {
    files: filesLetIn(situation, wishes),
    diffs: diffsGate(wishes),
    git: gitGate(situation, wishes),
    retrieval: retrievalGate(wishes, names),
    terms,
    isIdle: wishes.size === 0 && names.length === 0 && situation.named.length === 0,
  };
}

/** Pins always; what is named whether or not it is open; all that is open when the prompt is about code. */
function filesLetIn({ prompt, open, named }: Situation, wishes: ReadonlySet<Wish>): ReadonlyMap<WorkspacePath, string> {
  const all = wishes.has('openFiles')
    ? 'open, and the prompt asks for open files'
    : wishes.has('code') || wishes.has('failure')
      ? 'open, and the prompt asks about code'
      : null;
  const spoken = normalized(prompt);
  const isNamed = (path: WorkspacePath) => named.includes(path) || speaksOf(spoken, path);
  const files = new Map<WorkspacePath, string>();
  const letIn = (path: WorkspacePath, why: string) => files.has(path) || files.set(path, why);
  for (const { path, pinned } of open) if (pinned) letIn(path, 'pinned');
  for (const path of named) letIn(path, 'named in the prompt');
  for (const { path, by, isActive } of open) {
    if (isNamed(path)) letIn(path, 'open, and named in the prompt');
    else if (by === 'search') continue;
    else if (all !== null) letIn(path, all);
    else if (isActive) letIn(path, 'open, and used in the last turn');
  }
  return files;
}

/** By its path, or by its name where that is more than a common word. */
function speaksOf(spoken: string, path: WorkspacePath): boolean {
  const whole = normalized(path);
  const name = normalized(nameOf(path));
  if (path.includes('/') && hasWord(spoken, whole)) return true;
  return name.length >= SHORTEST_NAME && /[.\-_\d]/.test(name) && hasWord(spoken, name);
}

const SHORTEST_NAME = 3;

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + word.length, at + word.length + 2);
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}

function diffsGate(wishes: ReadonlySet<Wish>): string | null {
  if (wishes.has('diffs')) return 'the prompt asks for changes';
  if (wishes.has('changes')) return 'the prompt speaks of changes';
  return wishes.has('edit') ? 'the prompt asks for more edits' : null;
}

function gitGate({ ledger, failed, outsideEdits }: Situation, wishes: ReadonlySet<Wish>): string | null {
  if (wishes.has('git')) return 'the prompt asks for it';
  if (ledger === 'empty' && (wishes.has('changes') || wishes.has('diffs')))
    return 'the prompt speaks of changes, and no call of an agent made any';
  if (failed !== null) return `\`${failed}\` failed after files were changed from outside`;
  if (wishes.has('failure') && outsideEdits)
    return 'the prompt says that a build or test fails, and files were changed from outside';
  return null;
}

function retrievalGate(wishes: ReadonlySet<Wish>, names: readonly Term[]): string | null {
  if (names.length > 0) return 'the prompt names it';
  return wishes.has('code') || wishes.has('edit') || wishes.has('failure') ? 'words of the prompt stand there' : null;
}
