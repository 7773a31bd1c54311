import type { Outcome } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { AGENTS, isAgentName } from '../../agents/agents.js';
import { type Followed, Follower, type Occasion, Refused } from './follower.js';

export type HeardOf = Followed & { readonly workspace: string };
export type Told = Pick<Occasion, 'occasion' | 'turn' | 'call'>;

/** What could not be read, for the status. */
export type UnreadTranscript = {
  readonly agent: string;
  readonly session: string;
  readonly transcript: string;
  readonly why: string;
};

/** How a workspace is kept open while something of it is read. */
type Enter = (
  workspace: string,
) => Promise<Outcome<{ readonly hosted: { readonly workspace: Workspace }; readonly leave: () => void }, unknown>>;

/** More than these at once are not followed; the one that was silent longest is taken up anew from the log. */
const FOLLOWED_LIMIT = 200;
const GONE: ReadonlySet<string> = new Set(['closed', 'unknown-session']);
/** How long after the end of a turn its agent may still be writing it down. */
const LATER_MS = [400, 3_000] as const;

/**
 * Reads what agents write down of their sessions, in the background: whoever tells of something to read is never kept
 * waiting, and what goes wrong is told in the status.
 */
export class Transcripts {
  readonly #enter: Enter;
  readonly #onFault: (error: unknown, facts: { readonly workspace: string; readonly session: string }) => void;
  readonly #followed = new Map<string, { readonly of: string; readonly follower: Follower; busy: Promise<void> }>();
  /** Readings that are to come a moment after the end of a turn. */
  readonly #later = new Map<string, readonly NodeJS.Timeout[]>();
  readonly #troubles = new Map<string, UnreadTranscript & { readonly workspace: string }>();

  constructor(
    enter: Enter,
    onFault: (error: unknown, facts: { readonly workspace: string; readonly session: string }) => void,
  ) {
    this.#enter = enter;
    this.#onFault = onFault;
  }

  /** There may be something new in it. Returns at once. */
  hear(heard: HeardOf, told: Told): void {
    void this.#readSoon(heard, { ...told, evenForNothing: true });
    const key = keyOf(heard);
    // Whatever comes reads what was left of the turn before it.
    for (const timer of this.#later.get(key) ?? []) clearTimeout(timer);
    this.#later.delete(key);
    if (told.occasion !== 'turn-end') return;
    const again = () => void this.#readSoon(heard, { ...told, evenForNothing: false });
    this.#later.set(
      key,
      LATER_MS.map((ms) => setTimeout(again, ms).unref()),
    );
  }

  /** Resolves when all that is there now of the transcripts of a session has been read. */
  async caughtUp(workspace: string, session: string): Promise<void> {
    const running = [...this.#followed.values()].filter(
      ({ follower, of }) => of === workspace && follower.followed.session === session,
    );
    await Promise.all(running.map(({ busy }) => busy));
    const entered = await this.#enter(workspace);
    if (!entered.ok) return;
    const { hosted, leave } = entered.value;
    const latest = hosted.workspace.transcripts.latest(session);
    leave();
    if (latest === null || !isAgentName(latest.agent)) return;
    const heard = { workspace, session, agent: AGENTS[latest.agent], transcript: latest.transcript };
    await this.#readSoon(heard, { occasion: 'call', evenForNothing: false });
  }

  troubles(workspace: string): readonly UnreadTranscript[] {
    return [...this.#troubles.values()].flatMap(({ workspace: of, ...trouble }) => (of === workspace ? [trouble] : []));
  }

  #readSoon(heard: HeardOf, occasion: Occasion): Promise<void> {
    const { workspace } = heard;
    const key = keyOf(heard);
    const known = this.#followed.get(key) ?? { of: workspace, follower: new Follower(heard), busy: Promise.resolve() };
    this.#followed.delete(key);
    this.#followed.set(key, known);
    for (const oldest of this.#followed.keys()) {
      if (this.#followed.size <= FOLLOWED_LIMIT) break;
      this.#followed.delete(oldest);
    }
    known.busy = known.busy.then(() => this.#read(key, heard, known.follower, occasion));
    return known.busy;
  }

  async #read(key: string, heard: HeardOf, follower: Follower, occasion: Occasion): Promise<void> {
    const { workspace, session, transcript, agent } = heard;
    try {
      const entered = await this.#enter(workspace);
      if (!entered.ok) return;
      const { hosted, leave } = entered.value;
      const why = await follower.read(hosted.workspace, occasion).finally(leave);
      if (why === null) this.#troubles.delete(key);
      // An agent may begin to write after its first prompt, and in the middle of a turn it may be just writing.
      else if (occasion.occasion === 'turn-end' || occasion.occasion === 'session-end')
        this.#troubles.set(key, { workspace, agent: agent.title, session, transcript, why });
    } catch (error) {
      // What was read is known by the log: the next reading goes on from there.
      this.#followed.delete(key);
      // Closed, or the session deleted, in the middle of it.
      if (!(error instanceof Refused) || !GONE.has(error.code)) this.#onFault(error, { workspace, session });
    }
    if (occasion.occasion === 'session-end') this.#followed.delete(key);
  }
}

function keyOf({ workspace, session, transcript }: HeardOf): string {
  return JSON.stringify([workspace, session, transcript]);
}
