import {
  findMentions,
  isBuildOrTest,
  type OpenFact,
  type Operation,
  openFilesOf,
  openFilesOfAll,
  type Seq,
  type SessionId,
  type Situation,
  sessionOf,
  termsOf,
  type WorkspacePath,
} from '@palimpsest/core';
import { readInput } from '../call/call-input.js';
import type { ContentStore } from '../content/content.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';

export type SituationParts = {
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly content: ContentStore;
  /** Null for what is not in the workspace. */
  readonly resolve: (written: string) => WorkspacePath | null;
};

/** How far back is looked for the last build or test, and for edits before it. */
const CALLS_LIMIT = 20;
const CHANGES_LIMIT = 50;
const COMMAND_CHARS = 80;

/** What is known before anything is read. `session` null: nobody in particular. */
export async function situationOf(
  parts: SituationParts,
  prompt: string,
  session: SessionId | null,
): Promise<Situation> {
  const { live } = parts;
  const asked = askedBefore(parts, prompt, session);
  return {
    prompt,
    open: openFacts(parts, session, asked?.at ?? 0),
    named: namedIn(parts, prompt),
    ledger: ledgerOf(live, session),
    failed: session === null ? null : await failedBuild(parts, session),
    outsideEdits: outsideEdits(live, session, { since: asked?.seq ?? 0 }),
  };
}

function ledgerOf({ views }: LiveLog, session: SessionId | null): Situation['ledger'] {
  const { sessions } = views.patches;
  const ledgers = session === null ? [...sessions.values()] : [sessions.get(session)];
  return ledgers.some((ledger) => (ledger?.recent.length ?? 0) > 0) ? 'filled' : 'empty';
}

function openFacts({ live }: SituationParts, session: SessionId | null, sinceMs: number): readonly OpenFact[] {
  const { openFiles, sessions } = live.views;
  const active = [...sessions.sessions.values()].flatMap(({ id, state }) => (state === 'active' ? [id] : []));
  const files = session === null ? openFilesOfAll(openFiles, active) : openFilesOf(openFiles, session);
  return files.map(({ path, pinned, by, touchedAt }) => {
    const isUsed = by === 'read' || by === 'write' || by === 'mention';
    return { path, pinned, by, isActive: isUsed && touchedAt >= sinceMs };
  });
}

/** What the session was asked before this prompt, which may have been noted already. */
function askedBefore({ live }: SituationParts, prompt: string, session: SessionId | null): Operation | null {
  if (session === null) return null;
  const prompts = live.log.find({ session, kinds: ['prompted'], newestFirst: true, limit: 2 });
  const [latest, before] = prompts;
  return (latest?.kind === 'prompted' && latest.text === prompt ? before : latest) ?? null;
}

/** Mentions, and words that are the path of a covered file. */
function namedIn({ known, resolve }: SituationParts, prompt: string): readonly WorkspacePath[] {
  const written = [
    ...findMentions(prompt).map(({ path }) => path),
    ...termsOf(prompt).flatMap(({ kind, text }) => (kind === 'name' && /[./]/.test(text) ? [text] : [])),
  ];
  const paths = written.flatMap((name) => resolve(name) ?? []);
  return [...new Set(paths)].filter((path) => known.get(path) !== null);
}

/** The last build or test of the session, if it failed, and others than the session changed files since the one before. */
async function failedBuild({ live, content }: SituationParts, session: SessionId): Promise<string | null> {
  const ends = live.log.find({ session, kinds: ['call-ended'], newestFirst: true, limit: CALLS_LIMIT });
  let failed: { readonly seq: Seq; readonly command: string } | null = null;
  for (const end of ends) {
    if (end.kind !== 'call-ended' || end.outcome === 'expired') continue;
    const [began] = live.log.find({ session, call: end.call, kinds: ['call-began'], limit: 1 });
    if (began?.kind !== 'call-began' || began.action !== 'shell' || began.input === null) continue;
    const command = commandOf(await readInput(began.input, content));
    if (command === null || !isBuildOrTest(command)) continue;
    if (failed !== null)
      return outsideEdits(live, session, { since: end.seq, before: failed.seq }) ? failed.command : null;
    if (end.outcome !== 'failed') return null;
    failed = { seq: began.seq, command: command.slice(0, COMMAND_CHARS) };
  }
  return failed !== null && outsideEdits(live, session, { since: 0, before: failed.seq }) ? failed.command : null;
}

function commandOf(input: unknown): string | null {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return null;
  const { command, cmd, script } = input as Readonly<Record<string, unknown>>;
  const written = command ?? cmd ?? script;
  if (Array.isArray(written)) return written.join(' ');
  return typeof written === 'string' ? written : null;
}

function outsideEdits(
  { log }: LiveLog,
  session: SessionId | null,
  between: { readonly since: Seq | 0; readonly before?: Seq },
): boolean {
  const changes = log.find({ kinds: ['changed'], ...between, newestFirst: true, limit: CHANGES_LIMIT });
  return changes.some(
    (change) =>
      change.kind === 'changed' &&
      (session === null ? change.author.kind !== 'agent' : sessionOf(change.author) !== session),
  );
}
