import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Act, NOTHING_BETWEEN } from './act.js';
import { planShell, SESSIONS } from './calls.js';
import { playEditor } from './editor.js';
import { kill, killedWithSeveralOpen, start } from './killed.js';
import { killedWriting } from './killed-writing.js';
import type { Stage } from './stage.js';
import { writerOfCall } from './token.js';
import { planTool } from './tools.js';

/** The daemon goes, is stopped or killed, while people and agents go on. */
export async function playDaemon(stage: Stage): Promise<void> {
  // An open call is taken up again, or given up: which of the two is not what this is about.
  if (stage.open.length > 0) return;
  const roll = stage.chance.below(8);
  if (roll === 0) await killedInMidCall(stage);
  else if (roll > 5) await killedWriting(stage);
  else if (roll > 3) await killedWithSeveralOpen(stage);
  else if (roll === 1) await killedBetweenCalls(stage);
  else if (roll === 2) await down(stage);
  else await stopped(stage);
}

/** What a call wrote around a kill is that call's, or nobody's; never another call's or a person's. */
async function killedInMidCall(stage: Stage): Promise<void> {
  const { chance, desk } = stage;
  const session = chance.pick(SESSIONS);
  const call = stage.newCall();
  const act = plan(stage, session, call);
  if (act === null) return;
  stage.table.count('When', 'daemon killed in mid-call');
  const told = { session, callId: call, tool: act.tool, input: act.input, cwd: stage.world.root, agent: 'claude' };
  const begun = stage.good(await desk.begin(told), 'begin');
  stage.say(
    `${session} ${call} ${act.move} around a kill: ${act.tool} ${JSON.stringify(act.input)} ${String(begun.decision)}`,
  );
  if (begun.decision === 'deny') return;
  stage.makeMurky();
  const late = chance.in(0.5);
  const before = late ? false : await act.run(NOTHING_BETWEEN);
  await kill(stage);
  const done = late ? await act.run(NOTHING_BETWEEN) : before;
  stage.did({ by: 'agent', session, call });
  await start(stage);
  stage.good(
    await desk.end({ session, callId: call, ok: done, tool: act.tool, input: act.input, cwd: stage.world.root }),
    'end after a kill',
  );
  for (const path of act.paths) stage.views.blur(session, path);
  await stage.settle();
  stage.clearUp();
}

async function killedBetweenCalls(stage: Stage): Promise<void> {
  stage.table.count('When', 'daemon killed between calls');
  stage.say('the daemon is killed');
  await kill(stage);
  await start(stage);
  await stage.settle();
}

async function down(stage: Stage): Promise<void> {
  stage.table.count('When', 'daemon down');
  stage.table.count('When', 'after the files changed while nothing ran');
  stage.say('the daemon stops');
  await stage.desk.daemonGone();
  await stage.world.endDaemon('SIGTERM');
  stage.makeMurky();
  // Nobody to announce anything to.
  for (let count = stage.chance.between(1, 3); count > 0; count--) await playEditor(stage, null, 'silent');
  await start(stage);
  await stage.settle();
  stage.clearUp();
}

/** A daemon that is stopped answers late; what happened meanwhile is not mixed up. */
async function stopped(stage: Stage): Promise<void> {
  const { desk, world, chance } = stage;
  const session = chance.pick(SESSIONS);
  const call = stage.newCall();
  stage.table.count('When', 'daemon stopped (SIGSTOP)');
  stage.say(`the daemon is stopped while ${session} ${call} begins`);
  const path = `stopped${stage.newName()}.txt`;
  const text = `${stage.tokens.line(writerOfCall(session, call))}\n`;
  world.signalDaemon('SIGSTOP');
  const begun = desk.begin({
    session,
    callId: call,
    tool: 'Write',
    input: { file_path: path, content: text },
    cwd: world.root,
    agent: 'claude',
  });
  stage.makeMurky();
  await playEditor(stage, null, 'silent');
  world.signalDaemon('SIGCONT');
  stage.good(await begun, 'begin of a stopped daemon');
  writeFileSync(join(world.root, path), text);
  stage.did({ by: 'agent', session, call });
  stage.good(await desk.end({ session, callId: call, ok: true }), 'end');
  await stage.settle();
  stage.clearUp();
}

function plan(stage: Stage, session: string, call: string): Act | null {
  const writer = writerOfCall(session, call);
  return stage.chance.in(0.5) ? planShell(stage, writer) : planTool(stage, session, writer);
}
