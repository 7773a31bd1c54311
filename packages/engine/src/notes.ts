import {
  type ContentId,
  callKey,
  failed,
  findMentions,
  type LineRange,
  type OperationBody,
  type Outcome,
  ok,
  type SessionId,
  type ShownFile,
  type WorkspacePath,
} from '@palimpsest/core';
import type { CallPlan } from './call-plan.js';
import type { Calls } from './calls.js';
import type { Look } from './capture.js';
import type { ContentStore } from './content/content.js';
import type { Journal } from './journal.js';
import type { KnownTree } from './known-tree.js';
import type { Locator } from './locator.js';
import type { Opening } from './opening.js';
import type { Refusal } from './refusal.js';
import type { Securing } from './securing.js';
import { upToEnd } from './shown-lines.js';
import type { Tracker } from './tracker.js';
import type { Note } from './workspace.js';

export type NotesParts = {
  readonly root: string;
  readonly journal: Journal;
  readonly known: KnownTree;
  readonly calls: Calls;
  readonly content: Pick<ContentStore, 'get'>;
  readonly securing: Securing;
  readonly tracker: Tracker;
  readonly opening: Opening;
  readonly locate: Locator;
};

/** What was shown, said or saved without a tool call. Runs inside the workspace's queue. */
export class Notes {
  readonly #parts: NotesParts;

  constructor(parts: NotesParts) {
    this.#parts = parts;
  }

  async take(note: Note): Promise<Outcome<null, Refusal>> {
    switch (note.kind) {
      case 'read':
      case 'mention':
        return this.#shown(note);
      case 'prompt':
        return this.#prompted(note);
      case 'cut':
        this.#parts.journal.append([{ kind: 'context-cut', session: note.session as SessionId }]);
        return ok(null);
      case 'quiet':
        await this.#parts.calls.quiet(note.session as SessionId);
        return ok(null);
      case 'saved':
        return this.#saved(note.path);
    }
  }

  async #shown(note: Note & { kind: 'read' | 'mention' }): Promise<Outcome<null, Refusal>> {
    const path = this.#parts.locate(note.path, note.cwd ?? this.#parts.root);
    if (!path.ok) return path;
    const content = await this.#presentContent(path.value);
    if (content === null) return failed({ code: 'no-such-file', path: path.value });
    const files = [await this.#shownFile(path.value, content, note.lines)];
    this.#parts.tracker.say([{ kind: 'shown', session: note.session as SessionId, source: note.kind, files }]);
    return ok(null);
  }

  async #prompted(note: Note & { kind: 'prompt' }): Promise<Outcome<null, Refusal>> {
    const { calls, journal, tracker } = this.#parts;
    const session = note.session as SessionId;
    // A new prompt means that the turn before it is over, whether or not we heard the end of its calls.
    await calls.expire((plan) => plan.session === session && this.#isOfMainAgent(plan));
    const turn = note.turn ?? `turn-${journal.log.last + 1}`;
    const prompted: OperationBody = { kind: 'prompted', session, turn, text: note.text };
    const shown =
      note.mentions === 'left-out' ? [] : await this.#mentioned(session, note.text, note.cwd ?? this.#parts.root);
    tracker.say([prompted, ...shown]);
    return ok(null);
  }

  async #saved(written: string): Promise<Outcome<null, Refusal>> {
    const path = this.#parts.locate(written, this.#parts.root);
    if (!path.ok) return path;
    await this.#look({ named: [path.value], saved: path.value });
    return ok(null);
  }

  async #mentioned(session: SessionId, text: string, cwd: string): Promise<readonly OperationBody[]> {
    const files: ShownFile[] = [];
    for (const mention of findMentions(text)) {
      const path = this.#parts.locate(mention.path, cwd);
      const content = path.ok ? await this.#presentContent(path.value) : null;
      if (!path.ok || content === null) continue;
      files.push(await this.#shownFile(path.value, content, mention.lines));
    }
    return files.length === 0 ? [] : [{ kind: 'shown', session, source: 'mention', files }];
  }

  async #shownFile(path: WorkspacePath, content: ContentId, named: LineRange | undefined): Promise<ShownFile> {
    const lines = await upToEnd(named, content, this.#parts.content);
    return { path, content, ...(lines === undefined ? {} : { lines }) };
  }

  /** What a file holds at this moment, whether or not a hint has come yet; null when it is not there. */
  async #presentContent(path: WorkspacePath): Promise<ContentId | null> {
    const { calls, securing, tracker, known } = this.#parts;
    await this.#look({ named: [path] });
    await securing.secure([path], calls.suspects());
    await tracker.record(calls.openPlans(), []);
    return known.get(path)?.content ?? null;
  }

  /** At everything, because who looks at one name alone sees half of a rename. */
  async #look(at: Pick<Look, 'named' | 'saved'>): Promise<void> {
    const { calls, tracker, opening } = this.#parts;
    const { circumstance } = opening;
    await tracker.track({ ...at, suspects: calls.suspects(), circumstance }, calls.openPlans());
  }

  #isOfMainAgent({ session, call }: CallPlan): boolean {
    return this.#parts.journal.views.sessions.openCalls.get(callKey(session, call))?.agentId === undefined;
  }
}
