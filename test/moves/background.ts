import { setTimeout as sleep } from 'node:timers/promises';
import { SESSIONS } from './calls.js';
import { sceneOf } from './scene.js';
import { quoted } from './shell.js';
import type { Stage } from './stage.js';
import { tokensIn, writerOfCall } from './token.js';
import { allTokens } from './verdicts.js';

/** A command that goes on after its call has ended: what it writes then is the agent's or nobody's, never a person's. */
export async function playBackground(stage: Stage): Promise<void> {
  if (stage.open.length > 0 || !stage.mayHaunt) return;
  const { desk, world, chance, tokens } = stage;
  const session = chance.pick(SESSIONS);
  const call = stage.newCall();
  const writer = writerOfCall(session, call);
  const path = sceneOf(stage, writer).fresh('file');
  const server = chance.in(0.4);
  stage.table.count('agent, shell', server ? 'a server that goes on writing' : 'background that writes after the end');
  const lines = tokens.lines(writer, server ? 3 : 1);
  const writes = lines.map((line) => `sleep 0.03; echo ${quoted(line)} >> ${quoted(path)}`).join('; ');
  const command = `(${writes}) > /dev/null 2>&1 &`;
  const input = { command, ...(server || chance.in(0.5) ? { run_in_background: true } : {}) };
  stage.say(`${session} ${call} in the background: ${JSON.stringify(input)}`);
  stage.haunt();
  stage.good(
    await desk.begin({ session, callId: call, tool: 'Bash', input, cwd: world.root, agent: 'claude' }),
    'begin',
  );
  world.shell(command);
  stage.good(await desk.end({ session, callId: call, ok: true }), 'end');
  stage.did({ by: 'agent', session, call });
  const last = tokensIn(lines.at(-1)!)[0]!;
  for (let waited = 0; waited < 200 && !allTokens(stage, stage.photograph()).has(last); waited++) await sleep(10);
  await stage.settle();
}
