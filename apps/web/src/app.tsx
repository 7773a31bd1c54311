import { BlameView } from './blame/blame-view.js';
import { CheckpointsView } from './checkpoints/checkpoints-view.js';
import { ConflictsView } from './conflicts/conflicts-view.js';
import { harmless } from './diff/harmless.js';
import { Empty } from './frame/empty.js';
import { addressOf, usePlace } from './frame/route.js';
import { WorkspacesView } from './frame/workspaces-view.js';
import { type Live, useLive } from './link/live-workspace.js';
import { ReviewView } from './review/review-view.js';
import { StatusView } from './status/status-view.js';
import { TimelineView } from './timeline/timeline-view.js';

export function App() {
  const { workspace } = usePlace();
  return workspace === null ? <WorkspacesView /> : <WorkspacePage key={workspace} id={workspace} />;
}

const VIEWS = [
  ['review', 'Review'],
  ['timeline', 'Timeline'],
  ['conflicts', 'Conflicts'],
  ['checkpoints', 'Checkpoints'],
  ['status', 'Status'],
] as const;

function WorkspacePage({ id }: { readonly id: string }) {
  const { view, rest } = usePlace();
  const [workspace, live] = useLive(id);
  const root = live.status?.workspace.root ?? '';
  return (
    <>
      <header className="top">
        <a className="home" href="#/" title="All workspaces">
          Palimpsest
        </a>
        <strong title={harmless(root)}>{harmless(root.slice(root.lastIndexOf('/') + 1))}</strong>
        <nav aria-label="Views">
          {VIEWS.map(([name, title]) => (
            <a key={name} href={addressOf(id, name)} aria-current={view === name ? 'page' : undefined}>
              {title}
              <Count live={live} view={name} />
            </a>
          ))}
        </nav>
        <Link live={live} />
      </header>
      <main>
        {live.link === 'shut-out' ? (
          <Empty title="This page was let go">
            <p>
              Run <code>pal ui</code> in a terminal: it opens a new one.
            </p>
          </Empty>
        ) : (
          viewOf(view)
        )}
      </main>
    </>
  );

  function viewOf(name: string) {
    switch (name) {
      case 'timeline':
        return <TimelineView workspace={workspace} live={live} session={rest[0] ?? null} />;
      case 'blame':
        return <BlameView workspace={workspace} live={live} path={rest[0] ?? ''} />;
      case 'conflicts':
        return <ConflictsView workspace={workspace} live={live} />;
      case 'checkpoints':
        return <CheckpointsView workspace={workspace} live={live} />;
      case 'status':
        return <StatusView live={live} />;
      default:
        return <ReviewView workspace={workspace} live={live} />;
    }
  }
}

function Count({ live, view }: { readonly live: Live; readonly view: string }) {
  const count = view === 'review' ? live.pending.length : view === 'conflicts' ? live.conflicts.length : 0;
  return count === 0 ? null : <span className="count">{count}</span>;
}

const LINKS = {
  connecting: ['waiting', 'connecting'],
  live: ['good', 'live'],
  lost: ['bad', 'the daemon does not answer; trying again'],
  'shut-out': ['bad', 'not let in'],
} as const;

function Link({ live }: { readonly live: Live }) {
  const [tone, text] = LINKS[live.link];
  const running = live.status?.openCalls.length ?? 0;
  return (
    <span className={`link ${tone}`} role="status">
      {live.link === 'live' && running > 0 ? `an agent is working (${running})` : text}
    </span>
  );
}
