import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentFork, Cut, ForkPoint } from '@palimpsest/engine';
import { cutLines, type LineCut, lineFacts, NOTHING_BEFORE } from './claude-cut.js';
import type { Forking } from './forking.js';
import { linesOf, writeLines } from './transcript-copy.js';

/*
 * Agents whose transcript is all there is of a conversation: a file beside it, with the beginning of it and another id,
 * is a session that they take up. The old one is only read.
 */

export const claudeForking: Forking = {
  cannot: async (point) => whyNot(await cutOf(point)),
  fork: (point) =>
    forkLines(
      point,
      (id) => `${id}.jsonl`,
      (id) => `claude --resume ${id}`,
    ),
};

/** Its calls have other names there than in its hooks, so that it is cut between turns only. */
export const qwenForking: Forking = {
  cannot: async (point) => betweenTurns(point.cut, 'Qwen Code') ?? whyNot(await cutOf(point)),
  fork: (point) =>
    forkLines(
      point,
      (id) => `${id}.jsonl`,
      (id) => `qwen --resume ${id}`,
    ),
};

/** It may say all messages anew in one line, so that nothing is cut off: one line more takes back what came after. */
export const geminiForking: Forking = {
  async cannot({ cut }) {
    if (cut.kind === 'before-prompt' && cut.message === null) return 'the prompt is not in its transcript';
    if (cut.kind === 'before-prompt' && cut.previous === null) return NOTHING_BEFORE;
    return betweenTurns(cut, 'Gemini CLI');
  },
  async fork({ session, transcript, cut }) {
    const id = randomUUID();
    const stamp = new Date().toISOString().slice(0, 16).replaceAll(':', '-');
    const path = join(dirname(transcript), `session-${stamp}-${id.slice(0, 8)}.jsonl`);
    await writeLines(
      path,
      (async function* lines() {
        for await (const { text } of linesOf(transcript)) yield text.replaceAll(session, id);
        if (cut.kind === 'before-prompt') yield JSON.stringify({ $rewindTo: cut.message });
      })(),
    );
    return forkAt(path, session, id, (one) => `gemini --resume ${one}`);
  },
};

export function betweenTurns(cut: Cut, title: string): string | null {
  return cut.kind === 'before-prompt' || cut.kind === 'end'
    ? null
    : `${title} can go back to the end of a turn only: choose a checkpoint of a prompt`;
}

function whyNot(cut: LineCut): string | null {
  return 'why' in cut ? cut.why : null;
}

async function cutOf({ transcript, cut }: ForkPoint): Promise<LineCut> {
  const facts = [];
  for await (const { text } of linesOf(transcript)) facts.push(lineFacts(parsed(text)));
  return cutLines(facts, cut);
}

async function forkLines(
  point: ForkPoint,
  nameOf: (id: string) => string,
  resumeOf: (id: string) => string,
): Promise<AgentFork> {
  const { session, transcript } = point;
  const cut = await cutOf(point);
  if ('why' in cut) throw new Error(cut.why);
  const id = randomUUID();
  const path = join(dirname(transcript), nameOf(id));
  await writeLines(
    path,
    (async function* lines() {
      for await (const { index, text } of linesOf(transcript)) {
        if (index >= cut.upTo) return;
        if (!cut.without.has(index)) yield text.replaceAll(session, id);
      }
    })(),
  );
  return forkAt(path, session, id, resumeOf);
}

function forkAt(path: string, old: string, session: string, resumeOf: (id: string) => string): AgentFork {
  return { session, resume: resumeOf(session), back: resumeOf(old), drop: () => rm(path, { force: true }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
