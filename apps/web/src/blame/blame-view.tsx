import type { BlamedLineJson } from '@palimpsest/protocol';
import { useMemo } from 'react';
import { harmless } from '../diff/harmless.js';
import { highlight } from '../diff/highlighter.js';
import { Code } from '../diff/line.js';
import { useAsked } from '../frame/asked.js';
import { Empty } from '../frame/empty.js';
import { addressOf } from '../frame/route.js';
import { ago } from '../frame/time.js';
import type { Live, LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';

const MOST_LINES = 5_000;

/** Who wrote each line of a file: which agent, call and prompt, or you. */
export function BlameView(props: { readonly workspace: LiveWorkspace; readonly live: Live; readonly path: string }) {
  const { workspace, live, path } = props;
  const { client } = workspace;
  const asked = useAsked(
    async (signal) => {
      const { lines } = await answer(client.blame({ query: { path }, signal }));
      return {
        lines,
        colours: await highlight(
          path,
          lines.map(({ text }) => text),
        ),
      };
    },
    [client, path, live.status?.seq],
  );
  const stretches = useMemo(() => stretchesOf(asked.value?.lines ?? []), [asked.value]);
  if (asked.state === 'refused') return <Empty title={asked.why} />;
  return (
    <div className="blame">
      <h1>{harmless(path)}</h1>
      {asked.state === 'told' && asked.value.lines.length === 0 ? <Empty title="No lines" /> : null}
      {stretches.map((lines) => (
        <section key={lines[0]!.line} className={`stretch ${lines[0]!.author.kind}`} aria-label={whoWrote(lines[0]!)}>
          <Origin line={lines[0]!} workspace={workspace.id} />
          <div className="lines">
            {lines.map(({ line, text }) => (
              <div key={line} className="line">
                <span className="number">{line}</span>
                <Code text={text} colours={asked.value?.colours[line - 1] ?? []} marks={[]} />
              </div>
            ))}
          </div>
        </section>
      ))}
      {(asked.value?.lines.length ?? 0) > MOST_LINES ? <p className="note">… the rest is not shown</p> : null}
    </div>
  );
}

function Origin({ line, workspace }: { readonly line: BlamedLineJson; readonly workspace: string }) {
  const { author, at } = line;
  return (
    <aside>
      <b>{whoWrote(line)}</b>
      {at === null ? null : <span> · {ago(at)}</span>}
      {author.prompt === undefined ? null : <q title={harmless(author.prompt)}>{harmless(author.prompt)}</q>}
      {author.session === undefined ? null : <a href={addressOf(workspace, 'timeline', author.session)}>session</a>}
    </aside>
  );
}

function whoWrote({ author, at }: BlamedLineJson): string {
  if (author.kind === 'agent')
    return harmless(`${author.agent ?? 'agent'}${author.tool === undefined ? '' : `, ${author.tool}`}`);
  if (author.kind === 'human') return 'you';
  return at === null ? 'there before' : 'not known';
}

/** Neighbouring lines of one change are one stretch. */
function stretchesOf(lines: readonly BlamedLineJson[]): readonly (readonly BlamedLineJson[])[] {
  const stretches: BlamedLineJson[][] = [];
  for (const line of lines.slice(0, MOST_LINES)) {
    const last = stretches.at(-1);
    const first = last?.[0];
    if (first?.change === line.change && first.author.kind === line.author.kind) last!.push(line);
    else stretches.push([line]);
  }
  return stretches;
}
