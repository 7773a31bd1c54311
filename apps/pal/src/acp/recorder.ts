import type { Outcome } from '@palimpsest/core';
import type { BeginJson, Client, ClientFailure, EndJson, NoteJson } from '@palimpsest/protocol';
import { createClient } from '@palimpsest/protocol/client';
import { VERSION } from '@palimpsest/protocol/light';
import { noteMissed } from '../hook/missed.js';
import { type Connection, connect } from '../link/connect.js';
import type { Environment } from '../surroundings/surroundings.js';

/** For as long an agent or an editor may be kept waiting by us; neither has a limit of its own. */
const DEADLINE_MS = 15_000;
/** After the daemon could not be reached, it is not tried again for so long. */
const PAUSE_MS = 10_000;

export type RecorderOptions = { readonly data: string; readonly environment: Environment };

type Told = { readonly session: string; readonly cwd: string; readonly event: string };
type Work<T> = (client: Client, signal: AbortSignal) => Promise<Outcome<T, ClientFailure>>;

/**
 * What the proxy lets the daemon know, in the order in which it happened. Nothing here fails or waits for long: where the
 * daemon cannot be asked the answer is null, and the user is told where they look.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #sessions = new Set<string>();
  readonly #clients = new Map<string, Client>();
  #connected: Promise<Connection | null> | null = null;
  #pausedUntil = 0;
  #last: Promise<unknown> = Promise.resolve();
  agent = 'acp';

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  start(session: string, cwd: string): void {
    this.#sessions.add(session);
    const body = { id: session, agent: this.agent };
    void this.#say({ session, cwd, event: 'session' }, (client, signal) => client.startSession({ body, signal }));
  }

  /** The reason if the call is denied. */
  async begin(cwd: string, body: BeginJson): Promise<string | null> {
    const told = { session: body.session, cwd, event: body.tool };
    const began = await this.#say(told, (client, signal) => client.beginCall({ body: this.#whole(cwd, body), signal }));
    return began?.decision === 'deny' ? (began.reason ?? 'The edit was not made.') : null;
  }

  end(cwd: string, body: EndJson): void {
    const told = { session: body.session, cwd, event: body.tool ?? 'end' };
    void this.#say(told, (client, signal) => client.endCall({ body: this.#whole(cwd, body), signal }));
  }

  async note(cwd: string, body: NoteJson & { readonly session: string }): Promise<void> {
    const told = { session: body.session, cwd, event: body.kind };
    await this.#say(told, (client, signal) => client.addNote({ body, signal }));
  }

  endSession(session: string, cwd: string): void {
    if (!this.#sessions.delete(session)) return;
    const params = { session };
    void this.#say({ session, cwd, event: 'end' }, (client, signal) => client.endSession({ params, signal }));
  }

  /** Everything up to now has been said, or cannot be. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #whole<T extends object>(cwd: string, body: T): T & { readonly agent: string; readonly cwd: string } {
    return { cwd, agent: this.agent, ...body };
  }

  /** One after the other: the end of a call must not overtake its beginning. */
  #say<T>(told: Told, work: Work<T>): Promise<T | null> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const said = this.#last.then(() => this.#ask(told, work, signal));
    this.#last = said;
    const late = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
    return Promise.race([said, late]);
  }

  async #ask<T>(told: Told, work: Work<T>, signal: AbortSignal): Promise<T | null> {
    const connection = await this.#reach();
    if (connection === null) return this.#missed(told, 'the daemon could not be reached');
    const answer = await work(this.#clientFor(told.cwd, connection), signal);
    return answer.ok ? answer.value : this.#missed(told, answer.error.error.message);
  }

  #clientFor(cwd: string, { address }: Connection): Client {
    const client = this.#clients.get(cwd) ?? createClient({ ...address, workspaceRoot: cwd });
    this.#clients.set(cwd, client);
    return client;
  }

  #missed({ cwd, event }: Told, why: string): null {
    const { data } = this.#options;
    noteMissed(data, { at: new Date().toISOString(), agent: this.agent, event, directory: cwd, why });
    return null;
  }

  #reach(): Promise<Connection | null> {
    if (this.#connected === null && Date.now() < this.#pausedUntil) return Promise.resolve(null);
    this.#connected ??= this.#connect();
    return this.#connected;
  }

  async #connect(): Promise<Connection | null> {
    const { data, environment } = this.#options;
    try {
      const asked = { dataDir: data, version: VERSION, environment, timeoutMs: DEADLINE_MS } as const;
      const found = await connect({ ...asked, start: 'if-needed' });
      if (found.ok) return found.value;
    } catch {
      // A data directory that cannot be used is what `pal doctor` tells of.
    }
    this.#connected = null;
    this.#pausedUntil = Date.now() + PAUSE_MS;
    return null;
  }
}
