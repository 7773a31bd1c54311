import type { ChangeJson } from '@palimpsest/protocol';
import { useMemo, useRef, useState } from 'react';
import { Empty } from '../frame/empty.js';
import type { Live, LiveWorkspace } from '../link/live-workspace.js';
import { type Hand, meantBy } from './change-header.js';
import { CommentDialog, type Said } from './comment-dialog.js';
import { ConsequencesDialog } from './consequences-dialog.js';
import { DraftsPanel } from './drafts-panel.js';
import { FileTree } from './file-tree.js';
import { type Grouping, groupsOf } from './grouping.js';
import { HelpDialog } from './help-dialog.js';
import { ItemView } from './item-view.js';
import { type HunkPlace, itemsOf } from './items.js';
import { Toolbar } from './toolbar.js';
import { type Drafts, draftOn, useDrafts } from './use-drafts.js';
import { useFolds } from './use-folds.js';
import { type Keys, useKeys } from './use-keys.js';
import { useLoaded } from './use-loaded.js';
import { usePrompts } from './use-prompts.js';
import { type Meant, useVerdicts, type Verdicts } from './use-verdicts.js';
import { useWalk } from './use-walk.js';
import { useViewed } from './viewed.js';
import { VirtualList } from './virtual-list.js';

const NO_SESSIONS: never[] = [];

/** Everything that waits for a verdict, in one scroll. */
export function ReviewView({ workspace, live }: { readonly workspace: LiveWorkspace; readonly live: Live }) {
  const [by, setBy] = useState<Grouping>('prompt');
  const [sides, setSides] = useState(() => innerWidth > 1500);
  const [filter, setFilter] = useState('');
  const [dialog, setDialog] = useState<'help' | Said | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const verdicts = useVerdicts(workspace);
  const viewed = useViewed(workspace.id);
  const folds = useFolds(viewed, live.pending);
  const [loaded, load] = useLoaded(workspace.client);
  const sessions = live.status?.sessions ?? NO_SESSIONS;
  const prompts = usePrompts(workspace.client, sessions);
  const changes = useMemo(() => matching(live.pending, filter), [live.pending, filter]);
  const groups = useMemo(() => groupsOf(changes, by, sessions, prompts), [changes, by, sessions, prompts]);
  const { folded, opened } = folds;
  const items = useMemo(
    () => itemsOf(groups, { by, sides, loaded, folded, opened }),
    [groups, by, sides, loaded, folded, opened],
  );
  const walk = useWalk(groups, folded, items);
  const { current } = walk;
  const drafts = useDrafts(workspace);
  const hand: Hand = {
    accept: verdicts.accept,
    reject: verdicts.reject,
    comment: (meant) => setDialog({ kind: 'reject', meant }),
    remark: (about) => setDialog({ kind: 'remark', ...about }),
  };
  useKeys({
    ...walk.keys,
    ...keysOf(hand, current),
    v: () => current && viewed.toggle(current.change),
    o: () => current && folds.toggle(current.change),
    s: () => setSides((now) => !now),
    u: verdicts.undo,
    U: verdicts.redo,
    '/': () => search.current?.focus(),
    '?': () => setDialog('help'),
  });
  if (live.status === null) return <Empty title={live.trouble ?? 'Looking …'} />;
  if (live.pending.length === 0) return <NothingToReview live={live} undo={verdicts.undo} />;
  return (
    <div className="review">
      <FileTree changes={changes} isViewed={viewed.has} onChoose={walk.goToChange} />
      <div className="diffs">
        <Toolbar
          {...{ by, setBy, sides, setSides, filter, setFilter, search, verdicts, changes, walk }}
          onHelp={() => setDialog('help')}
        />
        <VirtualList items={items} wanted={walk.wanted}>
          {(item) => <ItemView {...{ item, hand, folds, viewed, load, current }} workspace={workspace.id} />}
        </VirtualList>
        <DraftsPanel drafts={drafts} />
      </div>
      <Dialogs {...{ dialog, setDialog, verdicts, drafts }} changes={live.pending} />
    </div>
  );
}

/** Whatever a key does to the hunk that one is at, or to its change. */
function keysOf(hand: Hand, current: HunkPlace | undefined): Keys {
  const on = (act: (meant: Meant) => void, part: 'hunk' | 'change') => () => {
    if (current !== undefined) act(meantBy(current.change, part === 'hunk' ? current.hunk : null));
  };
  return {
    a: on(hand.accept, 'hunk'),
    r: on(hand.reject, 'hunk'),
    A: on(hand.accept, 'change'),
    R: on(hand.reject, 'change'),
    c: on(hand.comment, 'hunk'),
  };
}

function Dialogs(props: {
  readonly dialog: 'help' | Said | null;
  readonly drafts: Drafts;
  readonly setDialog: (dialog: null) => void;
  readonly verdicts: Verdicts;
  readonly changes: readonly ChangeJson[];
}) {
  const { dialog, verdicts } = props;
  const close = () => props.setDialog(null);
  if (verdicts.asking !== null)
    return <ConsequencesDialog asked={verdicts.asking} changes={props.changes} answer={verdicts.answerAsked} />;
  if (dialog === null) return null;
  if (dialog === 'help') return <HelpDialog onClose={close} />;
  const done = (text: string) => {
    close();
    if (dialog.kind === 'reject') verdicts.reject({ ...dialog.meant, comment: text });
    else props.drafts.add(draftOn(dialog.change, text, { lines: dialog.lines, excerpt: dialog.excerpt }));
  };
  return <CommentDialog said={dialog} onClose={close} onDone={done} />;
}

function NothingToReview({ live, undo }: { readonly live: Live; readonly undo: () => void }) {
  const running = live.status?.openCalls.length ?? 0;
  return (
    <Empty title="Nothing waits for review">
      <p>
        {running > 0
          ? `${running} tool call${running === 1 ? ' is' : 's are'} running; what they change shows up here.`
          : 'When an agent changes something here, it shows up by itself.'}
      </p>
      <p>
        No agent at hand? <code>pal run -- sh -c 'echo hello &gt; hello.txt'</code> records what any command changes.
      </p>
      <button type="button" onClick={undo}>
        Undo the last decision
      </button>
    </Empty>
  );
}

function matching(changes: readonly ChangeJson[], filter: string): readonly ChangeJson[] {
  const wanted = filter.trim().toLowerCase();
  return wanted === '' ? changes : changes.filter(({ path }) => path.toLowerCase().includes(wanted));
}
