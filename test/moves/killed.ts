import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, NOTHING_BETWEEN } from './act.js';
import { planShell, SESSIONS } from './calls.js';
import { playEditor } from './editor.js';
import type { Said } from './http-door.js';
import { stockTaken } from './opening.js';
import { difference } from './photograph.js';
import type { Stage } from './stage.js';
import { HUMAN, writerOf, writerOfCall } from './token.js';
import { planTool } from './tools.js';
import { must } from './violation.js';

/** A call around a kill. `begin`, `end`: whether the request was answered before the kill, or cut off by it. */
type Caught = {
  readonly session: string;
  readonly call: string;
  readonly act: Act;
  readonly begin: 'heard' | 'cut off';
  readonly works: 'before' | 'meanwhile' | 'after';
  readonly end: 'after' | 'cut off';
};

type Ran = { readonly done: boolean; readonly touched: readonly string[] };

export async function kill(stage: Stage): Promise<void> {
  await stage.desk.daemonGone();
  await stage.world.endDaemon('SIGKILL');
}

export async function start(stage: Stage): Promise<void> {
  await stage.world.startDaemon();
  stage.good(await stage.desk.open(), 'open again');
  await stockTaken(stage);
}

/**
 * Several calls of both agents are open when the daemon is killed, and requests are under way. Each call does its work
 * before the kill, while nothing runs, or after the restart. Every end finds its call, and what a call wrote has it as
 * author or among the candidates; a tool that alone wrote a file is its author.
 */
export async function killedWithSeveralOpen(stage: Stage): Promise<void> {
  const { chance, desk } = stage;
  stage.table.count('When', 'daemon killed with several calls open');
  stage.makeMurky();
  const planned = Array.from({ length: chance.between(2, 4) }, () => planCaught(stage)).filter((one) => one !== null);
  const caught: Caught[] = [];
  const cutOff: Promise<Said | null>[] = [];
  for (const one of planned) {
    if (one.begin === 'heard') {
      const begun = stage.good(await desk.begin(told(stage, one)), 'begin');
      stage.say(`${sentence(one)} ${String(begun.decision)}`);
      if (begun.decision === 'deny') continue;
    } else stage.say(`${sentence(one)} is not answered`);
    stage.open.push({ ...one, shell: one.act.shell, subagent: false, paths: one.act.paths });
    caught.push(one);
  }
  const ran = new Map<string, Ran>();
  const humans = new Set<string>();
  await work(stage, caught, 'before', ran);
  if (chance.in(0.3)) for (const path of await humanSaves(stage, 'as usual')) humans.add(path);
  for (const one of caught) if (one.begin === 'cut off') cutOff.push(heard(desk.begin(told(stage, one))));
  for (const one of caught) if (one.end === 'cut off') cutOff.push(heard(desk.end(over(stage, one, ran))));
  if (cutOff.length > 0) await sleep(chance.below(15));
  await kill(stage);
  await Promise.all(cutOff);
  await work(stage, caught, 'meanwhile', ran);
  if (chance.in(0.3)) for (const path of await humanSaves(stage, 'silent')) humans.add(path);
  await start(stage);
  await work(stage, caught, 'after', ran);
  for (const one of shuffled(stage, caught)) {
    const ended = stage.good(await desk.end(over(stage, one, ran)), 'end after a kill');
    must(ended.known === true, 7, () => `${one.session} ${one.call} was open at a kill, and its end is not known`);
    for (const path of one.act.paths) stage.views.blur(one.session, path);
  }
  stage.open.splice(0);
  shareUnheard(stage, caught, ran);
  const recorded = await stage.settle();
  for (const { id } of recorded) checkOwn(stage, id, caught, ran, humans);
  stage.clearUp();
}

/**
 * A command of which nobody heard before a kill wrote to a file, and another call did so too: the bytes show both, and no
 * look lies between them. Whoever was known to be there is named until the news of the other comes, and then it may have
 * been either. So one of those who did write the file is named, or is a candidate, and nobody else.
 */
function shareUnheard(stage: Stage, caught: readonly Caught[], ran: ReadonlyMap<string, Ran>): void {
  const now = stage.photograph();
  for (const { session, call } of caught.filter(({ begin, act }) => begin === 'cut off' && act.shell)) {
    const own = writerOfCall(session, call);
    for (const path of ran.get(call)?.touched ?? []) {
      const others = caught.filter((other) => other.call !== call && ran.get(other.call)?.touched.includes(path));
      if (others.length === 0) continue;
      const writers = [own, ...others.map((other) => writerOfCall(other.session, other.call))];
      for (const token of stage.tokensOf(now.files.get(path)?.id))
        if (writerOf(token) === own) stage.tokens.share(token, writers);
    }
  }
}

function planCaught(stage: Stage): Caught | null {
  const { chance } = stage;
  const session = chance.pick(SESSIONS);
  const call = stage.newCall();
  const writer = writerOfCall(session, call);
  const act = chance.in(0.4) ? planShell(stage, writer) : planTool(stage, session, writer);
  if (act === null) return null;
  const begin = chance.in(0.15) ? 'cut off' : 'heard';
  const moments = [...(begin === 'heard' ? (['before'] as const) : []), 'meanwhile', 'after'] as const;
  const works = chance.pick<Caught['works']>(moments);
  const end = works === 'before' && chance.in(0.3) ? 'cut off' : 'after';
  return { session, call, act, begin, works, end };
}

async function work(
  stage: Stage,
  caught: readonly Caught[],
  when: Caught['works'],
  ran: Map<string, Ran>,
): Promise<void> {
  for (const { session, call, act, works } of shuffled(stage, caught)) {
    if (works !== when) continue;
    const before = stage.photograph();
    const done = await act.run(NOTHING_BETWEEN);
    stage.say(
      `  ${session} ${call} works ${when === 'meanwhile' ? 'while nothing runs' : `${when} the kill`}: ${done}`,
    );
    stage.did({ by: 'agent', session, call });
    stage.glance();
    ran.set(call, { done, touched: difference(before, stage.photograph()) });
  }
}

/** Who saves without a word while commands run cannot be told apart from them. */
async function humanSaves(stage: Stage, how: 'as usual' | 'silent'): Promise<readonly string[]> {
  const before = stage.photograph();
  await playEditor(stage, null, how);
  const after = stage.photograph();
  const paths = difference(before, after);
  if (how === 'silent')
    for (const path of paths)
      stage.tokens.loosen(stage.tokensOf(after.files.get(path)?.id).filter((token) => writerOf(token) === HUMAN));
  return paths;
}

function checkOwn(
  stage: Stage,
  id: string,
  caught: readonly Caught[],
  ran: ReadonlyMap<string, Ran>,
  humans: ReadonlySet<string>,
): void {
  const { path, fromPath, author, before, after } = stage.ledger.changes.get(id)!;
  if (author === null) return;
  const old = new Set(stage.tokensOf(before?.id));
  for (const token of stage.tokensOf(after?.id)) {
    const writer = caught.find(({ session, call }) => writerOf(token) === writerOfCall(session, call));
    if (
      writer === undefined ||
      old.has(token) ||
      stage.tokens.isLoose(token) ||
      stage.moved.has(token) ||
      stage.isCopy(token, path)
    )
      continue;
    const { call, act } = writer;
    const writers = stage.tokens.writersOf(token);
    const isOne = (one: { readonly session: string; readonly call: string }) =>
      writers.includes(writerOfCall(one.session, one.call));
    const complain = () => `${id} ${path}: ${token} was written around a kill, and is ${JSON.stringify(author)}`;
    must(
      author.kind === 'unknown' ? author.candidates.some(isOne) : author.kind === 'agent' && isOne(author),
      8,
      complain,
    );
    const names = [path, fromPath ?? path];
    const hands = [...ran.values()].filter(({ touched }) => touched.some((name) => names.includes(name)));
    const alone =
      !act.shell && ran.get(call)?.done === true && hands.length === 1 && !names.some((name) => humans.has(name));
    must(!alone || author.kind === 'agent', 2, complain);
  }
}

function told(stage: Stage, { session, call, act }: Caught): Readonly<Record<string, unknown>> {
  return { session, callId: call, tool: act.tool, input: act.input, cwd: stage.world.root, agent: 'claude' };
}

function over(stage: Stage, one: Caught, ran: ReadonlyMap<string, Ran>): Readonly<Record<string, unknown>> {
  return { ...told(stage, one), ok: ran.get(one.call)?.done ?? false };
}

/** The answer, or null where the daemon went before it came. */
function heard(said: Promise<Said>): Promise<Said | null> {
  return said.catch(() => null);
}

function shuffled<T>(stage: Stage, list: readonly T[]): readonly T[] {
  return list
    .map((item) => ({ item, place: stage.chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function sentence({ session, call, act, works }: Caught): string {
  return `${session} ${call} ${act.move} [${works}]: ${act.tool} ${JSON.stringify(act.input)}`;
}
