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
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { CallPlan } from '../look/call-plan.js';
import type { LiveLog } from '../store/live-log.js';
import type { Locator } from '../tree/locator.js';
import type { CallPlace, Calls } from './calls.js';
import { upToEnd } from './shown-lines.js';

export type Note =
  | {
      readonly kind: 'read' | 'mention';
      readonly session: string;
      readonly path: string;
      readonly lines?: LineRange | undefined;
      readonly cwd?: string | undefined;
    }
  | {
      readonly kind: 'prompt';
      readonly session: string;
      readonly text: string;
      readonly turn?: string | undefined;
      readonly cwd?: string | undefined;
      /** Whether the model was given the files that the prompt mentions; without it, it was. */
      readonly mentions?: 'shown' | 'left-out' | undefined;
    }
  /** Compaction or truncation took what was shown out of the model's sight. */
  | { readonly kind: 'cut'; readonly session: string }
  /** Nothing that the session started runs in the background any more. */
  | { readonly kind: 'quiet'; readonly session: string }
  /** A person's editor saved a file. */
  | { readonly kind: 'saved'; readonly path: string };

/** Where somebody works, and how paths are written there. */
export type NotePlace = Omit<CallPlace, 'resolve'> & { readonly locate: Locator };

export type NotesParts = {
  readonly live: LiveLog;
  readonly calls: Calls;
  readonly content: Pick<ContentStore, 'get'>;
  readonly placeOf: (session: SessionId) => NotePlace;
  /** The place that holds this path, as a person wrote it. */
  readonly placeAt: (path: string) => NotePlace;
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
        this.#parts.live.append([{ kind: 'context-cut', session: note.session as SessionId }]);
        return ok(null);
      case 'quiet':
        await this.#parts.calls.quiet(note.session as SessionId);
        return ok(null);
      case 'saved':
        return this.#saved(note.path);
    }
  }

  async #shown(note: Note & { kind: 'read' | 'mention' }): Promise<Outcome<null, Refusal>> {
    const place = this.#parts.placeOf(note.session as SessionId);
    const path = place.locate(note.path, note.cwd ?? place.root);
    if (!path.ok) return path;
    const content = await this.presentContent(place, path.value);
    if (content === null) return failed({ code: 'no-such-file', path: path.value });
    const files = [await this.#shownFile(path.value, content, note.lines)];
    this.#parts.live.append([{ kind: 'shown', session: note.session as SessionId, source: note.kind, files }]);
    return ok(null);
  }

  async #prompted(note: Note & { kind: 'prompt' }): Promise<Outcome<null, Refusal>> {
    const { calls, live } = this.#parts;
    const session = note.session as SessionId;
    // A new prompt means that the turn before it is over, whether or not we heard the end of its calls.
    await calls.expire((plan) => plan.session === session && this.#isOfMainAgent(plan));
    const turn = note.turn ?? `turn-${live.log.last + 1}`;
    const prompted: OperationBody = { kind: 'prompted', session, turn, text: note.text };
    const shown = note.mentions === 'left-out' ? [] : await this.#mentioned(session, note.text, note.cwd);
    live.append([prompted, ...shown]);
    return ok(null);
  }

  async #saved(written: string): Promise<Outcome<null, Refusal>> {
    const place = this.#parts.placeAt(written);
    const path = place.locate(written, place.root);
    if (!path.ok) return path;
    // At everything, because who looks at one name alone sees half of a rename.
    await place.tracker.look({ named: [path.value], saved: path.value });
    return ok(null);
  }

  async #mentioned(session: SessionId, text: string, cwd: string | undefined): Promise<readonly OperationBody[]> {
    const place = this.#parts.placeOf(session);
    const files: ShownFile[] = [];
    for (const mention of findMentions(text)) {
      const path = place.locate(mention.path, cwd ?? place.root);
      const content = path.ok ? await this.presentContent(place, path.value) : null;
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
  async presentContent({ securing, tracker, known }: NotePlace, path: WorkspacePath): Promise<ContentId | null> {
    await tracker.look({ named: [path] });
    await securing.secure([path]);
    await tracker.record();
    return known.get(path)?.content ?? null;
  }

  #isOfMainAgent({ session, call }: CallPlan): boolean {
    return this.#parts.live.views.sessions.openCalls.get(callKey(session, call))?.agentId === undefined;
  }
}
