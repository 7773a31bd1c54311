import { isCovered } from './coverage.js';
import type { Stage } from './stage.js';
import { isAgents, MCP_WRITER, tokensIn, writerOfCall } from './token.js';
import { linesOf } from './tools.js';
import { must } from './violation.js';

type Blamed = {
  readonly line: number;
  readonly text: string;
  readonly author: { readonly kind: string; readonly session?: string; readonly callId?: string };
};

/** Every line comes from whom its token names, or it is said that nobody knows. */
export async function playBlame(stage: Stage): Promise<void> {
  const files = [...stage.now.files].filter(([path, shot]) => isCovered(path, shot) && shot.mode !== '120000');
  if (files.length === 0) return;
  const [path, shot] = stage.chance.pick(files);
  const bytes = stage.bytesOf(shot.id)!;
  if (bytes.includes(0)) return;
  stage.table.count('What is asked of us', 'blame');
  const { lines } = stage.good(await stage.desk.blame(path, stage.way()), `blame ${path}`) as {
    lines: readonly Blamed[];
  };
  const there = linesOf(bytes.toString('latin1'));
  must(lines.length === there.length, 3, () => `blame has ${lines.length} lines of ${path}, which has ${there.length}`);
  for (const [index, blamed] of lines.entries()) {
    const token = tokensIn(there[index]!).at(-1);
    if (token === undefined || stage.moved.has(token) || stage.tokens.isLoose(token)) continue;
    const { author } = blamed;
    const complain = () => `blame of ${path}:${index + 1} ${token} says ${JSON.stringify(author)}`;
    if (author.kind === 'agent')
      must(
        stage.tokens
          .writersOf(token)
          .some(
            (writer) => writer === MCP_WRITER || writer === writerOfCall(author.session ?? '', author.callId ?? ''),
          ),
        2,
        complain,
      );
    if (author.kind === 'human') must(!isAgents(token), 2, complain);
    if (author.kind === 'unknown')
      must(!isAgents(token) || stage.uncertain.has(token) || !stage.seen.has(token), 2, complain);
  }
}
