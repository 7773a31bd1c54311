import { playAgentGit } from './agent-git.js';
import { playAtOnce, playOlder, playTwice } from './at-once.js';
import { playBackground } from './background.js';
import { playBlame } from './blaming.js';
import { playCall, playLateEnd, SESSIONS } from './calls.js';
import { playCandidates } from './candidates.js';
import { Chance } from './chance.js';
import { playDaemon } from './daemon-moves.js';
import { playEditor } from './editor.js';
import { playFinale } from './finale.js';
import { playForget, playGc } from './keeping.js';
import { playMcp } from './mcp-moves.js';
import { stockTaken } from './opening.js';
import { playDiff, playNotices, playStale } from './questions.js';
import { playRestore, playSave } from './restoring.js';
import { makeWorld } from './setting.js';
import { Stage } from './stage.js';
import { checkStore, playRestart } from './standing.js';
import { playSubject } from './subjects.js';
import { Table } from './table.js';
import { playGit, playOthers, playTerminal } from './terminal.js';
import { playResolve, playUndo } from './undoing.js';
import { playVerdict } from './verdicts.js';

type Step = { readonly name: string; readonly weight: number; readonly play: (stage: Stage) => Promise<void> };

/** What a day is made of, the ordinary most often. */
const STEPS: readonly Step[] = [
  { name: 'shell', weight: 20, play: (stage) => playCall(stage, 'shell') },
  { name: 'tool', weight: 20, play: (stage) => playCall(stage, 'tool') },
  { name: 'read', weight: 5, play: (stage) => playCall(stage, 'read') },
  { name: 'editor', weight: 16, play: playEditorStep },
  { name: 'terminal', weight: 4, play: playTerminal },
  { name: 'git', weight: 3, play: playGit },
  { name: 'agent git', weight: 2, play: playAgentGit },
  { name: 'candidates', weight: 0.5, play: playCandidates },
  { name: 'others', weight: 1, play: playOthers },
  { name: 'reject', weight: 12, play: (stage) => playVerdict(stage, 'reject') },
  { name: 'accept', weight: 7, play: (stage) => playVerdict(stage, 'accept') },
  { name: 'undo', weight: 4, play: (stage) => playUndo(stage, 'undo') },
  { name: 'redo', weight: 2, play: (stage) => playUndo(stage, 'redo') },
  { name: 'resolve', weight: 3, play: playResolve },
  { name: 'checkpoint', weight: 4, play: playSave },
  { name: 'restore', weight: 4, play: playRestore },
  { name: 'blame', weight: 4, play: playBlame },
  { name: 'late end', weight: 4, play: playLateEnd },
  { name: 'prompt', weight: 2, play: playPrompt },
  { name: 'end of a session', weight: 0.5, play: playEndSession },
  { name: 'restart', weight: 0.3, play: playRestart },
  { name: 'daemon', weight: 1.2, play: playDaemon },
  { name: 'at once', weight: 1, play: playAtOnce },
  { name: 'twice', weight: 0.7, play: playTwice },
  { name: 'older', weight: 0.7, play: playOlder },
  { name: 'background', weight: 0.6, play: playBackground },
  { name: 'MCP tools', weight: 0.7, play: playMcp },
  { name: 'subject', weight: 0.4, play: playSubject },
  { name: 'diff', weight: 1, play: playDiff },
  { name: 'stale', weight: 1, play: playStale },
  { name: 'notices', weight: 0.5, play: playNotices },
  { name: 'gc', weight: 0.2, play: playGc },
  { name: 'forget', weight: 0.3, play: playForget },
];

export type Played = {
  readonly seed: number;
  readonly steps: number;
  readonly table: Table;
  readonly failure: { readonly step: number; readonly error: Error; readonly story: readonly string[] } | null;
};

export type PlayOptions = { readonly seed: number; readonly steps: number; readonly skip?: ReadonlySet<number> };

/** One world, from the first opening to the last check. */
export async function play({ seed, steps, skip = new Set() }: PlayOptions): Promise<Played> {
  const table = new Table();
  const world = makeWorld(new Chance(seed, 0), table);
  let stage: Stage | null = null;
  let step = 0;
  try {
    stage = new Stage(world, new Chance(seed, 0), table);
    await world.startDaemon();
    stage.good(await stage.desk.open(), 'open');
    if (stage.chance.in(0.5)) {
      table.count('When', 'right after the workspace was opened');
      table.count('When', 'while stock is being taken');
      stage.makeMurky();
    } else await stockTaken(stage);
    for (step = 1; step <= steps; step++) {
      if (skip.has(step)) continue;
      stage.chance = new Chance(seed, step);
      const { name, play: act } = stage.chance.weighed(STEPS);
      stage.say(`-- ${step} ${name}`);
      await act(stage);
      if (step === EARLY_STEPS) {
        await stockTaken(stage);
        await stage.settle();
        stage.clearUp();
      }
      if (step % OUTSIDE_EVERY === 0) stage.outside.check();
    }
    await finish(stage);
    return { seed, steps, table, failure: null };
  } catch (error) {
    const story = stage?.story ?? [];
    return { seed, steps: step, table, failure: { step, error: error as Error, story } };
  } finally {
    await stage?.desk.leave();
    await world.leave();
  }
}

const OUTSIDE_EVERY = 20;
/** For so long nothing may have been looked at yet. */
const EARLY_STEPS = 5;

async function finish(stage: Stage): Promise<void> {
  while (stage.late.length > 0) await playLateEnd(stage);
  for (const session of SESSIONS) {
    stage.answered(await stage.desk.endSession(session), 'the end of a session');
    forgetOpen(stage, session, 'everybody');
  }
  await stage.settle();
  stage.outside.check();
  await playRestart(stage);
  await checkStore(stage);
  if (stage.chance.in(0.3)) await playFinale(stage);
}

async function playEditorStep(stage: Stage): Promise<void> {
  await playEditor(stage);
  await stage.settle();
}

/** A session ends with its open calls, and is taken up again by the next one. */
async function playEndSession(stage: Stage): Promise<void> {
  const session = stage.chance.pick(SESSIONS);
  if (stage.late.some((late) => late.session === session)) return;
  stage.table.count('What is asked of us', 'end a session');
  stage.say(`the session ${session} ends`);
  stage.answered(await stage.desk.endSession(session), 'the end of a session');
  forgetOpen(stage, session, 'everybody');
  await stage.settle();
}

/** The next prompt ends the calls of the session that never ended. */
async function playPrompt(stage: Stage): Promise<void> {
  const session = stage.chance.pick(SESSIONS);
  if (stage.late.some((late) => late.session === session)) return;
  await endOfTurn(stage, session);
  await stage.settle();
}

async function endOfTurn(stage: Stage, session: string): Promise<void> {
  stage.say(`prompt for ${session}`);
  stage.good(await stage.desk.note({ kind: 'prompt', session, text: 'go on' }), 'a prompt');
  forgetOpen(stage, session, 'main agent');
}

function forgetOpen(stage: Stage, session: string, whose: 'main agent' | 'everybody'): void {
  for (let place = stage.open.length - 1; place >= 0; place--)
    if (stage.open[place]!.session === session && (whose === 'everybody' || !stage.open[place]!.subagent))
      stage.open.splice(place, 1);
}
