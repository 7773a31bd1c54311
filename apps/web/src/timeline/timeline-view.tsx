import { useState } from 'react';
import { DifferenceList } from '../checkpoints/difference-list.js';
import { RestoreDialog } from '../checkpoints/restore-dialog.js';
import { DiffView } from '../diff/diff-view.js';
import { harmless } from '../diff/harmless.js';
import { useAsked } from '../frame/asked.js';
import { Empty } from '../frame/empty.js';
import { addressOf } from '../frame/route.js';
import { ago, clock } from '../frame/time.js';
import type { Live, LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';
import { type Moment, momentsOf } from './moments.js';

/** A session as it went, with the tree as it was at each of its checkpoints. */
export function TimelineView(props: {
  readonly workspace: LiveWorkspace;
  readonly live: Live;
  readonly session: string | null;
}) {
  const { workspace, live } = props;
  const sessions = [...(live.status?.sessions ?? [])].reverse();
  const chosen = props.session ?? sessions[0]?.id ?? null;
  if (live.status === null) return <Empty title={live.trouble ?? 'Looking …'} />;
  if (chosen === null)
    return (
      <Empty title="No sessions yet">
        <p>
          <code>pal init</code> wires up your agents; each of their runs is a session here.
        </p>
      </Empty>
    );
  return (
    <div className="columns">
      <nav className="list" aria-label="Sessions">
        <ul>
          {sessions.map(({ id, title, agent, state, startedAt, pending }) => (
            <li key={id}>
              <a
                className="file"
                href={addressOf(workspace.id, 'timeline', id)}
                aria-current={id === chosen ? 'true' : undefined}
              >
                <span className="name">{harmless(title || id)}</span>
                {pending > 0 ? <span className="count">{pending}</span> : null}
                <span className="who">
                  {harmless(agent)} · {state === 'active' ? 'running' : ago(startedAt)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <SessionTimeline key={chosen} workspace={workspace} live={live} session={chosen} />
    </div>
  );
}

function SessionTimeline({
  workspace,
  live,
  session,
}: {
  readonly workspace: LiveWorkspace;
  readonly live: Live;
  readonly session: string;
}) {
  const { client } = workspace;
  const seq = live.status?.seq ?? 0;
  const asked = useAsked(
    async (signal) => {
      const [prompts, changes, checkpoints] = await Promise.all([
        answer(client.listPrompts({ params: { session }, signal })),
        answer(client.listChanges({ query: { session, status: 'all' }, signal })),
        answer(client.listCheckpoints({ query: { session }, signal })),
      ]);
      return { moments: momentsOf(prompts.prompts, changes.changes, checkpoints.checkpoints), ...checkpoints };
    },
    [client, session, seq],
  );
  const [at, setAt] = useState<number | null>(null);
  const [restoring, setRestoring] = useState<string | null>(null);
  if (asked.state === 'refused') return <Empty title={asked.why} />;
  const { moments, checkpoints } = asked.value ?? { moments: [], checkpoints: [] };
  const index = Math.min(at ?? checkpoints.length - 1, checkpoints.length - 1);
  const moment = checkpoints[index];
  return (
    <section className="detail" aria-label="Timeline">
      {moment === undefined ? null : (
        <div className="slider">
          <label>
            The tree at <b>{moment.id}</b>, {clock(moment.at)}
            <input
              type="range"
              min={0}
              max={checkpoints.length - 1}
              value={index}
              aria-valuetext={`${moment.id}, ${clock(moment.at)}`}
              onChange={(event) => setAt(Number(event.target.value))}
            />
          </label>
          <button type="button" className="bad" onClick={() => setRestoring(moment.id)}>
            Go back to here …
          </button>
        </div>
      )}
      {at === null || moment === undefined ? null : (
        <>
          <h3>What changed since then</h3>
          <DifferenceList client={client} from={moment.id} to="now" seq={seq} />
        </>
      )}
      <ol className="moments">
        {moments.map((one) => (
          <MomentView
            key={`${one.kind} ${one.at} ${keyOf(one)}`}
            moment={one}
            workspace={workspace}
            chosen={moment?.id}
          />
        ))}
      </ol>
      {restoring === null ? null : (
        <RestoreDialog workspace={workspace} checkpoint={restoring} onClose={() => setRestoring(null)} />
      )}
    </section>
  );
}

function keyOf(moment: Moment): string {
  switch (moment.kind) {
    case 'prompt':
      return moment.prompt.turn;
    case 'call':
      return moment.call;
    case 'checkpoint':
      return moment.checkpoint.id;
  }
}

function MomentView(props: {
  readonly moment: Moment;
  readonly workspace: LiveWorkspace;
  readonly chosen: string | undefined;
}) {
  const { moment, workspace, chosen } = props;
  const time = <time dateTime={moment.at}>{clock(moment.at)}</time>;
  switch (moment.kind) {
    case 'prompt':
      return (
        <li className="prompt">
          {time}
          <blockquote>{harmless(moment.prompt.text)}</blockquote>
        </li>
      );
    case 'checkpoint':
      return (
        <li className={`checkpoint ${moment.checkpoint.id === chosen ? 'current' : ''}`}>
          {time}
          <span className="who">
            checkpoint {moment.checkpoint.id} · {harmless(moment.checkpoint.message ?? moment.checkpoint.reason)}
          </span>
        </li>
      );
    case 'call':
      return (
        <li className="call">
          {time}
          <div>
            <b>{harmless(moment.tool)}</b> <span className="who">{harmless(moment.call)}</span>
            {moment.changes.map((change) => (
              <details key={change.id}>
                <summary>
                  {harmless(change.path)} <b className="plus">+{change.added}</b>{' '}
                  <b className="minus">−{change.removed}</b>{' '}
                  <span className={`badge ${change.status}`}>{change.status}</span>
                </summary>
                <DiffView
                  client={workspace.client}
                  path={change.path}
                  before={change.before?.content ?? null}
                  after={change.after?.content ?? null}
                  hunks={change.hunks}
                />
              </details>
            ))}
          </div>
        </li>
      );
  }
}
