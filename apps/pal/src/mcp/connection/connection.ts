import { createHash, randomBytes } from 'node:crypto';
import { spokenPath, type WorkspacePath } from '@palimpsest/core';
import type { Client } from '@palimpsest/protocol';
import { createClient } from '@palimpsest/protocol/client';
import type { DaemonAddress } from '@palimpsest/protocol/light';
import { failureOf, said } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { announcedCall, type Caller, type SoughtCall } from './announced-call.js';
import { callFactsOf } from './call-facts.js';

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

  /** Writes one file that still holds `before`, null for no file, or nothing. */
  async replace({ path, before, next }: Replacement): Promise<void> {
    const body = { path, expected: before === null ? null : contentOf(before), base64: toBase64(next) };
    const answer = await (await this.client()).replaceFile({ body });
    if (answer.ok) return;
    if (answer.error.error.code !== 'moved') throw failureOf(answer.error);
    throw new Failure(
      'moved',
      `${spokenPath(path)} was changed at this very moment; nothing was written`,
      'read it again, then make the edit on what is there now',
    );
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
      const known = await client.getSession({ params: { session } });
      if (known.ok && known.value.session.state === 'active') return;
      if (!known.ok && known.error.status !== 404) said(known);
    }
    said(await client.startSession({ body: { id: session, agent: this.#agent } }));
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
    const { workspace } = said(await client.openWorkspace({ body: { root: folder } }));
    return { client, root: workspace.root };
  }
}

type Room = { readonly client: Client; readonly root: string };

type Replacement = { readonly path: WorkspacePath; readonly before: Uint8Array | null; readonly next: Uint8Array };

/** The git blob id of bytes, by which the daemon knows them. */
function contentOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
