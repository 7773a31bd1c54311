import type { Act } from './act.js';
import { playAct, SESSIONS } from './calls.js';
import { GIT_MOVES } from './git-moves.js';
import type { Stage } from './stage.js';
import { writerOfCall } from './token.js';

/** An agent's git, in one call. What it brings from elsewhere was written by others. */
export async function playAgentGit(stage: Stage): Promise<void> {
  if (!stage.world.hasGit || stage.open.length > 0) return;
  const session = stage.chance.pick(SESSIONS);
  const call = stage.newCall();
  const { name, command } = stage.chance.weighed(GIT_MOVES);
  const line = command({
    chance: stage.chance,
    tokens: stage.tokens,
    writer: writerOfCall(session, call),
    names: () => stage.newName(),
  });
  const act: Act = {
    column: 'agent, shell',
    move: name,
    tool: 'Bash',
    input: { command: line },
    shell: true,
    paths: [],
    expected: 'allow',
    why: 'a command is never refused',
    run: async (halfWay) => {
      stage.outside.checkGit();
      await halfWay();
      const exit = stage.world.shell(line);
      stage.outside.gitMoved();
      return exit === 0;
    },
    shown: () => undefined,
  };
  await playAct(stage, session, call, act, '');
}
