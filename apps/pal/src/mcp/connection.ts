import { randomBytes } from 'node:crypto';
import type { Client } from '@palimpsest/protocol';
import { createClient } from '@palimpsest/protocol/client';
import type { DaemonAddress } from '@palimpsest/protocol/light';
import { said } from '../door.js';
import { announcedCall, type Caller, type SoughtCall } from './announced-call.js';
import { callFactsOf } from './call-facts.js';
import { askToReplace, type Replacement } from './replacement.js';

export type ConnectionOptions = {
  /** Where the daemon is; it is started if it is not running. */
  readonly reach: () => Promise<DaemonAddress>;
  /** The folder that it is about. Asked at the first use: a client may offer its roots only after its introduction. */
  readonly folder: () => Promise<string>;
};

/**
 * One client from its introduction to its end: one session, unless the client says under which of its own it works.
 * Nothing is asked of the daemon before the client wants something.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #id = `mcp-${randomBytes(8).toString('hex')}`;
  readonly #sessions = new Map<string, Promise<void>>();
  #room: Promise<Room> | null = null;
  #agent = 'mcp';
  #calls = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The session that is this connection's own; it exists once something was recorded under it. */
  get id(): string {
    return this.#id;
  }

  get hasOwnSession(): boolean {
    return this.#sessions.has(this.#id);
  }

  /** What the client calls itself; it says so at its beginning, or with every request. */
  introduce(agent: string | undefined): void {
    if (agent !== undefined && agent !== '') this.#agent = agent;
  }

  async client(): Promise<Client> {
    return (await this.#enter()).client;
  }

  /** Absolute and free of links. */
  async root(): Promise<string> {
    return (await this.#enter()).root;
  }

  /** Writes one file, or nothing. The daemon does it, so that all who write through it take turns. */
  async replace(replacement: Replacement): Promise<void> {
    const { address, workspace } = await this.#enter();
    await askToReplace(address, workspace, replacement);
  }

  /** The session that a request speaks for; it may not have been started. */
  sessionName(meta: unknown): string {
    return callFactsOf(meta).session ?? this.#id;
  }

  /** The same, started. */
  async session(meta: unknown): Promise<string> {
    const session = this.sessionName(meta);
    await this.#ensure(session);
    return session;
  }

  /** The names under which a call is recorded. */
  async caller(tool: string, meta: unknown, asked: SoughtCall['asked']): Promise<Caller> {
    const facts = callFactsOf(meta);
    const announced = await announcedCall(await this.client(), { tool, facts, asked });
    if (announced !== null) return announced;
    const session = await this.session(meta);
    return { session, callId: facts.callId ?? `${this.#id}-${++this.#calls}` };
  }

  #ensure(session: string): Promise<void> {
    const ensured = this.#sessions.get(session) ?? this.#start(session);
    this.#sessions.set(session, ensured);
    ensured.catch(() => this.#sessions.delete(session));
    return ensured;
  }

  /** One that hooks have started keeps the name that they gave its agent. */
  async #start(session: string): Promise<void> {
    const client = await this.client();
    if (session !== this.#id) {
      const known = await client.getSession(session);
      if (known.ok && known.value.session.state === 'active') return;
      if (!known.ok && known.error.status !== 404) said(known);
    }
    said(await client.startSession({ id: session, agent: this.#agent }));
  }

  /** What failed is tried again at the next request. */
  #enter(): Promise<Room> {
    this.#room ??= this.#open();
    this.#room.catch(() => {
      this.#room = null;
    });
    return this.#room;
  }

  async #open(): Promise<Room> {
    const folder = await this.#options.folder();
    const address = await this.#options.reach();
    const client = createClient({ ...address, workspaceRoot: folder });
    const { workspace } = said(await client.openWorkspace({ root: folder }));
    return { client, address, workspace: workspace.id, root: workspace.root };
  }
}

type Room = {
  readonly client: Client;
  readonly address: DaemonAddress;
  readonly workspace: string;
  readonly root: string;
};
