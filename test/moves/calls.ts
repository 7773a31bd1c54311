import { type Act, NOTHING_BETWEEN } from './act.js';
import { playEditor } from './editor.js';
import { sceneOf } from './scene.js';
import { SHELL_MOVES } from './shell.js';
import type { Stage } from './stage.js';
import { writerOfCall } from './token.js';
import { planRead, planTool, textFile } from './tools.js';
import { must } from './violation.js';

export const SESSIONS = ['ann', 'bob'] as const;
type Session = (typeof SESSIONS)[number];

type Occasion = { readonly when: string; readonly weight: number };
const OCCASIONS: readonly Occasion[] = [
  { when: '', weight: 30 },
  { when: 'just before begin', weight: 3 },
  { when: 'between begin and the tool', weight: 2 },
  { when: 'a file half written', weight: 1 },
  { when: 'while the tool runs', weight: 1 },
  { when: 'between the tool and end', weight: 2 },
  { when: 'end late', weight: 2 },
  { when: 'end twice', weight: 1 },
  { when: 'end never', weight: 0.3 },
  { when: 'begin late', weight: 1 },
  { when: 'two calls nested', weight: 1 },
];

/** One call of an agent, from its plan to its end, and what gets in between. */
export async function playCall(stage: Stage, kind: 'tool' | 'shell' | 'read'): Promise<void> {
  const session = stage.chance.pick(SESSIONS);
  if (kind === 'tool' && stage.chance.in(0.6)) await readFirst(stage, session);
  const call = stage.newCall();
  const act = plan(stage, session, call, kind);
  if (act === null) return;
  const { when } = stage.chance.weighed(OCCASIONS.filter((one) => stage.mayHaunt || one.when !== 'end never'));
  await playAct(stage, session, call, act, when);
}

function plan(stage: Stage, session: Session, call: string, kind: 'tool' | 'shell' | 'read'): Act | null {
  const writer = writerOfCall(session, call);
  switch (kind) {
    case 'tool':
      return planTool(stage, session, writer);
    case 'shell':
      return planShell(stage, writer);
    case 'read': {
      const path = textFile(stage);
      return path === null ? null : planRead(stage, session, path, stage.chance.in(0.5) ? 'whole' : 'range');
    }
  }
}

export function planShell(stage: Stage, writer: string): Act | null {
  const { name, command } = stage.chance.weighed(SHELL_MOVES);
  const line = command(sceneOf(stage, writer));
  if (line === null) return null;
  return {
    column: 'agent, shell',
    move: name,
    tool: 'Bash',
    input: { command: line },
    shell: true,
    paths: [],
    expected: 'allow',
    why: 'a command is never refused',
    run: async (halfWay) => {
      await halfWay();
      return stage.world.shell(line) === 0;
    },
    shown: () => undefined,
  };
}

/** An agent that knows its trade reads before it writes. */
async function readFirst(stage: Stage, session: Session): Promise<void> {
  const path = textFile(stage);
  if (path === null) return;
  const act = planRead(stage, session, path, stage.chance.in(0.8) ? 'whole' : 'range');
  await playAct(stage, session, stage.newCall(), act, '');
}

export async function playAct(stage: Stage, session: Session, call: string, act: Act, when: string): Promise<void> {
  const { table, desk, chance } = stage;
  table.count(act.column, act.move);
  if (when !== '') table.count('When', when);
  if (stage.open.some((open) => open.session !== session)) table.count('When', 'two calls overlapping');
  const subagent = chance.in(0.1) ? { agentId: 'helper-1' } : {};
  if ('agentId' in subagent) table.count('others', 'a subagent');
  if (session === 'bob') table.count('others', 'a second agent in the same files');
  const told = {
    session,
    callId: call,
    tool: act.tool,
    input: act.input,
    cwd: stage.world.root,
    agent: 'claude',
    ...subagent,
  };
  stage.say(
    `${session} ${call} ${act.move}${when === '' ? '' : ` [${when}]`}: ${act.tool} ${JSON.stringify(act.input)}`,
  );
  const human = () => playEditor(stage, act.paths[0] ?? null);
  const before = stage.open.length === 0 && !stage.murky && when === '' ? stage.now : null;

  if (when === 'just before begin') await human();
  if (when === 'begin late') {
    await playLate(stage, session, call, act, told);
    return;
  }
  const begun = stage.good(await desk.begin(told, cliOr(stage)), 'begin');
  if (when !== 'just before begin') checkGuard(act, begun);
  if (begun.decision === 'deny') {
    stage.say(`  denied`);
    await stage.settle();
    return;
  }
  stage.open.push({ session, call, shell: act.shell, subagent: 'agentId' in subagent, paths: act.paths });
  if (when === 'between begin and the tool') await human();
  if (when === 'two calls nested') await playNested(stage, session);
  const halfWay =
    when === 'a file half written'
      ? () => lookHalfWay(stage)
      : when === 'while the tool runs'
        ? human
        : NOTHING_BETWEEN;
  const done = await act.run(halfWay);
  stage.did({ by: 'agent', session, call });
  stage.glance();
  if (!done) stage.say('  the tool failed');
  if (when === 'between the tool and end') await human();
  if (when === 'end late') {
    await stage.settle();
    stage.late.push({ session, call, done, act });
    return;
  }
  if (when === 'end never') {
    stage.haunt();
    await stage.settle();
    return;
  }
  await endCall(stage, session, call, done, act, when !== '' && when !== 'end twice');
  if (when === 'end twice') {
    const again = stage.good(await desk.end({ session, callId: call, ok: done }), 'a second end');
    must(again.known !== false, 3, () => `a second end of ${call} is not known`);
  }
  await stage.settle();
  if (before !== null) stage.around.set(call, { before, after: stage.now });
}

/** The news comes when it is all over: nothing may be refused, and nobody else may be blamed. */
async function playLate(
  stage: Stage,
  session: Session,
  call: string,
  act: Act,
  told: Readonly<Record<string, unknown>>,
): Promise<void> {
  stage.makeMurky();
  const done = await act.run(NOTHING_BETWEEN);
  stage.did({ by: 'agent', session, call });
  // By then somebody may have looked, and taken it for another's.
  if (stage.chance.in(0.4)) await lookHalfWay(stage);
  const begun = stage.good(await stage.desk.begin({ ...told, observe: true }), 'a late begin');
  must(begun.decision !== 'deny', 5, () => 'what has happened already was denied');
  stage.good(await stage.desk.end({ session, callId: call, ok: done }), 'its end');
  // It was shown what is there, however late we hear of it.
  if (act.tool === 'Read') act.shown(done);
  await stage.settle();
  stage.clearUp();
}

async function lookHalfWay(stage: Stage): Promise<void> {
  stage.good(await stage.desk.look(), 'a look in between');
}

async function playNested(stage: Stage, around: Session): Promise<void> {
  const session = stage.chance.pick(SESSIONS.filter((other) => other !== around));
  const call = stage.newCall();
  const act = stage.chance.in(0.5)
    ? planShell(stage, writerOfCall(session, call))
    : planTool(stage, session, writerOfCall(session, call));
  if (act !== null) await playAct(stage, session, call, act, '');
}

/** `disturbed`: others may have written between its begin and its end. */
export async function endCall(
  stage: Stage,
  session: string,
  call: string,
  done: boolean,
  act: Act,
  disturbed: boolean,
): Promise<void> {
  stage.good(await stage.desk.end({ session, callId: call, ok: done }, cliOr(stage)), 'end');
  const place = stage.open.findIndex((open) => open.call === call);
  if (place >= 0) stage.open.splice(place, 1);
  if (act.tool === 'Read' && disturbed) for (const path of act.paths) stage.views.blur(session, path);
  else act.shown(done);
}

/** Ends that came late, in any order. */
export async function playLateEnd(stage: Stage): Promise<void> {
  if (stage.late.length === 0) return;
  const place = stage.chance.below(stage.late.length);
  const { session, call, done, act } = stage.late[place]!;
  if (place < stage.late.length - 1) stage.table.count('When', 'two calls crossing');
  stage.late.splice(place, 1);
  stage.say(`${session} ${call} ends at last`);
  await endCall(stage, session, call, done, act, true);
  await stage.settle();
}

function checkGuard(act: Act, begun: Readonly<Record<string, unknown>>): void {
  if (act.expected === 'allow')
    must(begun.decision !== 'deny', 5, () => `denied although ${act.why}: ${String(begun.reason)}`);
  if (act.expected === 'deny') must(begun.decision === 'deny', 5, () => `let through although ${act.why}`);
}

function cliOr(stage: Stage): 'HTTP' | 'command line' {
  return stage.way() === 'command line' ? 'command line' : 'HTTP';
}
