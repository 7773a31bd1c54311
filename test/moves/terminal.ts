import { sceneOf } from './scene.js';
import { SHELL_MOVES } from './shell.js';
import type { Stage } from './stage.js';
import { HUMAN } from './token.js';
import { allTokens } from './verdicts.js';

/** A person at a terminal. */
export async function playTerminal(stage: Stage): Promise<void> {
  const { name, command } = stage.chance.weighed(SHELL_MOVES);
  const line = command(sceneOf(stage, HUMAN));
  if (line === null) return;
  stage.table.count('human, terminal', 'a shell move');
  stage.say(`human at a terminal: ${name}: ${line}`);
  const before = allTokens(stage, stage.now);
  stage.world.shell(line);
  stage.did({ by: 'human' });
  // A terminal announces nothing: beside a running command nobody can tell the two apart.
  if (stage.open.some(({ shell }) => shell) || stage.murky)
    stage.tokens.loosen([...allTokens(stage, stage.photograph())].filter((token) => !before.has(token)));
  await stage.settle();
}
