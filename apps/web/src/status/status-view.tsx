import { harmless } from '../diff/harmless.js';
import { Empty } from '../frame/empty.js';
import type { Live } from '../link/live-workspace.js';

/** How the workspace stands: what is covered, what is kept, what is wrong. */
export function StatusView({ live }: { readonly live: Live }) {
  const { status } = live;
  if (status === null) return <Empty title={live.trouble ?? 'Looking …'} />;
  const { workspace, coverage, store, remarks, stale } = status;
  return (
    <div className="plain status">
      <h1>{harmless(workspace.root)}</h1>
      <dl>
        <Fact name="Git">
          {workspace.git ? `at ${workspace.head?.slice(0, 12) ?? 'no commit yet'}` : 'no repository'}
        </Fact>
        <Fact name="Files">
          {coverage.files.toLocaleString('en')} covered{coverage.unread > 0 ? `, ${coverage.unread} not read yet` : ''}
        </Fact>
        <Fact name="Kept">
          {mib(store.bytes)}, {store.checkpoints} checkpoints{store.onLoan ? ', partly read from the repository' : ''}
        </Fact>
        <Fact name="Watching">
          {status.watching === 'events' ? 'told by the system' : 'by going through the files'}
        </Fact>
        <Fact name="Daemon">
          {status.daemon.version}, process {status.daemon.pid}
        </Fact>
        <Fact name="Log">{status.seq.toLocaleString('en')} operations</Fact>
      </dl>
      <Listed title="What is wrong" lines={remarks} none="Nothing that we know of." />
      <Listed
        title="Stale views of agents"
        lines={stale.map(({ session, path, state }) => `${path}: ${state} for ${session}`)}
        none="Every agent sees what is there."
      />
      <Listed
        title="Not covered"
        lines={[
          ...coverage.uncovered.map(({ path, reason }) => `${path}: ${reason}`),
          ...(coverage.beyond > 0 ? [`… and ${coverage.beyond} more`] : []),
        ]}
        none="Everything is covered."
      />
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const MOST = 200;

function Listed({
  title,
  lines,
  none,
}: {
  readonly title: string;
  readonly lines: readonly string[];
  readonly none: string;
}) {
  return (
    <section>
      <h2>{title}</h2>
      {lines.length === 0 ? <p>{none}</p> : null}
      <ul>
        {lines.slice(0, MOST).map((line) => (
          <li key={line}>{harmless(line)}</li>
        ))}
      </ul>
    </section>
  );
}

function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
