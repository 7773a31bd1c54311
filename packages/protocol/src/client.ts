import type { Outcome } from '@palimpsest/core';
import { type ClientEvent, type EventsOptions, followEvents } from './client-events.js';
import { type ClientFailure, failureOfAnswer, failureOfSilence } from './client-failure.js';
import { type DaemonAddress, type RequestParts, sendRequest } from './light.js';
import { answered, refused } from './outcome.js';
import type { EndpointName } from './routes/endpoints.js';
import type { AnswerOf, BodyOf, QueryOf } from './routes/routes.js';

export type ClientOptions = DaemonAddress & {
  /** The folder that the client is about. The daemon finds the workspace it belongs to, at the first request. */
  readonly workspaceRoot?: string;
};

export type Answer<T> = Promise<Outcome<T, ClientFailure>>;
type AnswerTo<Name extends EndpointName> = Answer<AnswerOf<Name>>;

/** The daemon, typed. Works over any fetch: the network, or an app in the same process. It loads no schemas. */
export interface Client {
  health(): AnswerTo<'health'>;
  shutdown(): AnswerTo<'shutdown'>;
  listWorkspaces(): AnswerTo<'listWorkspaces'>;
  openWorkspace(body: BodyOf<'openWorkspace'>): AnswerTo<'openWorkspace'>;
  /** The id of the workspace that `workspaceRoot` belongs to. */
  workspaceId(): Answer<string>;

  status(): AnswerTo<'status'>;
  listSessions(): AnswerTo<'listSessions'>;
  startSession(body: BodyOf<'startSession'>): AnswerTo<'startSession'>;
  getSession(session: string): AnswerTo<'getSession'>;
  renameSession(session: string, title: string): AnswerTo<'renameSession'>;
  deleteSession(session: string): AnswerTo<'deleteSession'>;
  endSession(session: string): AnswerTo<'endSession'>;
  getNotices(session: string): AnswerTo<'getNotices'>;
  acknowledge(session: string, upTo: number): AnswerTo<'acknowledge'>;

  beginCall(body: BodyOf<'beginCall'>): AnswerTo<'beginCall'>;
  endCall(body: BodyOf<'endCall'>): AnswerTo<'endCall'>;
  addNote(body: BodyOf<'addNote'>): AnswerTo<'addNote'>;

  listChanges(query?: QueryOf<'listChanges'>): AnswerTo<'listChanges'>;
  getChange(change: string): AnswerTo<'getChange'>;
  getPatch(change: string): Answer<Uint8Array>;
  getContent(content: string): Answer<Uint8Array>;
  listStale(query?: QueryOf<'listStale'>): AnswerTo<'listStale'>;

  listOperations(query?: QueryOf<'listOperations'>): AnswerTo<'listOperations'>;
  /** Ends when `signal` is aborted, or with a `failed` event when coming back is of no use. */
  events(options?: EventsOptions): AsyncGenerator<ClientEvent, void, void>;

  /** Any route, for those that have no method of their own here. `workspace` is filled in. */
  call<Name extends EndpointName>(name: Name, parts?: RequestParts): AnswerTo<Name>;
}

export function createClient(options: ClientOptions): Client {
  const requester = new Requester(options);
  const call = <Name extends EndpointName>(name: Name, parts: RequestParts = {}) => requester.json(name, parts);
  const inSession = <Name extends EndpointName>(name: Name, session: string, body?: unknown) =>
    requester.json(name, { params: { session }, body });
  return {
    health: () => call('health'),
    shutdown: () => call('shutdown'),
    listWorkspaces: () => call('listWorkspaces'),
    openWorkspace: (body) => call('openWorkspace', { body }),
    workspaceId: () => requester.workspaceId(),

    status: () => call('status'),
    listSessions: () => call('listSessions'),
    startSession: (body) => call('startSession', { body }),
    getSession: (session) => inSession('getSession', session),
    renameSession: (session, title) => inSession('renameSession', session, { title }),
    deleteSession: (session) => inSession('deleteSession', session),
    endSession: (session) => inSession('endSession', session),
    getNotices: (session) => inSession('getNotices', session),
    acknowledge: (session, upTo) => inSession('acknowledge', session, { upTo }),

    beginCall: (body) => call('beginCall', { body }),
    endCall: (body) => call('endCall', { body }),
    addNote: (body) => call('addNote', { body }),

    listChanges: (query = {}) => call('listChanges', { query }),
    getChange: (change) => call('getChange', { params: { change } }),
    getPatch: (change) => requester.bytes('getPatch', { params: { change } }),
    getContent: (content) => requester.bytes('getContent', { params: { content } }),
    listStale: (query = {}) => call('listStale', { query }),

    listOperations: (query = {}) => call('listOperations', { query }),
    events: (eventsOptions = {}) => followEvents((parts) => requester.send('events', parts), eventsOptions),
    call,
  };
}

class Requester {
  readonly #options: ClientOptions;
  #workspace: Answer<string> | null = null;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** An id that could not be had is asked for again the next time. */
  async workspaceId(): Answer<string> {
    this.#workspace ??= this.#open();
    const id = await this.#workspace;
    if (!id.ok) this.#workspace = null;
    return id;
  }

  async json<Name extends EndpointName>(name: Name, parts: RequestParts): AnswerTo<Name> {
    const response = await this.send(name, parts);
    if (!response.ok) return response;
    try {
      const text = await response.value.text();
      if (response.value.status >= 300) return refused(failureOfAnswer(response.value.status, text));
      return answered(JSON.parse(text) as AnswerOf<Name>);
    } catch (error) {
      return refused(failureOfSilence(error));
    }
  }

  async bytes(name: EndpointName, parts: RequestParts): Answer<Uint8Array> {
    const response = await this.send(name, parts);
    if (!response.ok) return response;
    try {
      if (response.value.status >= 300)
        return refused(failureOfAnswer(response.value.status, await response.value.text()));
      return answered(new Uint8Array(await response.value.arrayBuffer()));
    } catch (error) {
      return refused(failureOfSilence(error));
    }
  }

  async send(
    name: EndpointName,
    parts: RequestParts,
  ): Promise<Outcome<Awaited<ReturnType<typeof sendRequest>>, ClientFailure>> {
    const params = await this.#params(name, parts);
    if (!params.ok) return params;
    try {
      return answered(await sendRequest(this.#options, name, { ...parts, params: params.value }));
    } catch (error) {
      return refused(failureOfSilence(error));
    }
  }

  async #params(
    name: EndpointName,
    { params = {} }: RequestParts,
  ): Promise<Outcome<Record<string, string>, ClientFailure>> {
    if (GLOBAL.has(name) || params.workspace !== undefined) return answered({ ...params });
    const workspace = await this.workspaceId();
    return workspace.ok ? answered({ workspace: workspace.value, ...params }) : workspace;
  }

  async #open(): Answer<string> {
    const { workspaceRoot } = this.#options;
    if (workspaceRoot === undefined) throw new Error('this client was made without a workspaceRoot');
    const opened = await this.json('openWorkspace', { body: { root: workspaceRoot } });
    return opened.ok ? answered(opened.value.workspace.id) : opened;
  }
}

/** Routes that are about the daemon and not about one workspace. */
const GLOBAL: ReadonlySet<EndpointName> = new Set([
  'health',
  'shutdown',
  'listWorkspaces',
  'openWorkspace',
  'takeHook',
  'takeHttpHook',
]);
