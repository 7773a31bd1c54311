import { LAST_LINE } from '@palimpsest/core';
import { AGENT_NAMES, AGENTS } from '../agents/agents.js';
import { type Payload, payloadOf, textAt } from '../agents/payload.js';
import { harmlessLines } from '../print/harmless.js';
import { lineOf, type Message } from './message.js';
import type { Recorder } from './recorder.js';
import { knownCall, type ToolCall, toolCallOf } from './tool-call.js';

type Request = Extract<Message, { kind: 'request' }>;
type Answered = Extract<Message, { kind: 'answer' }>;

/** What becomes of a line: it passes, or we answer in the place of whoever it was for, and may tell the editor why. */
export type Fate = 'pass' | { readonly answer: Buffer; readonly toEditor?: Buffer };

/** `as` is the name under which it is recorded. */
type Call = ToolCall & { readonly state: 'announced' | 'begun' | 'ended'; readonly as: string };
type Session = { readonly id: string; readonly cwd: string; readonly calls: Map<string, Call> };
type Waiting = {
  readonly method: string;
  readonly params: Payload;
  readonly done?: (answer: Answered) => Promise<void> | void;
};

/** Gemini CLI has the editor read a file before it edits it, and write it then; what it so reads it does not show the model. */
const EDITS_THROUGH_EDITOR = 'gemini';

/** Versions of it that make a text of an error as a whole: of an object that is "[object Object]", and the reason is lost. */
const TEXT_ERRORS = /^0\.(?:\d|[1-5]\d|6[01])\./;

/** What an editor and an agent say to each other, as far as we have a part in it. */
export class Conversation {
  readonly #recorder: Recorder;
  readonly #sessions = new Map<string, Session>();
  /** Requests that are not answered yet, by who asked. */
  readonly #ofEditor = new Map<string, Waiting>();
  readonly #ofAgent = new Map<string, Waiting>();
  /** An agent that is refused a permission hears no reason, and one whose write fails does. */
  #isToldByWrites = false;
  #isToldByText = false;
  #writes = 0;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  async fromEditor(message: Message): Promise<void> {
    if (message.kind === 'answer') await this.#answered(this.#ofAgent, message);
    if (message.kind !== 'request') return;
    const { method, params } = message;
    const session = textAt(params, 'sessionId');
    if (method === 'session/prompt') await this.#prompt(params);
    else if (method === 'session/close' && session !== undefined) this.#close(session);
    this.#ofEditor.set(message.key, { method, params });
  }

  async fromAgent(message: Message): Promise<Fate> {
    if (message.kind === 'answer') {
      const isTurnOver = this.#ofEditor.get(message.key)?.method === 'session/prompt';
      await this.#answered(this.#ofEditor, message);
      // Who hears that a turn is over may ask us what it did, or go on working in its files.
      if (isTurnOver) await this.#recorder.settled();
    } else if (message.method === 'session/update') this.#update(message.params);
    if (message.kind !== 'request') return 'pass';
    switch (message.method) {
      case 'session/request_permission':
        return this.#permission(message);
      case 'fs/write_text_file':
        return this.#write(message);
      case 'fs/read_text_file':
        return this.#read(message);
      default:
        return 'pass';
    }
  }

  /** Whoever goes first takes the other along; the sessions are over. */
  over(): void {
    for (const id of this.#sessions.keys()) this.#close(id);
  }

  #close(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    this.#recorder.endSession(id, session.cwd);
  }

  async #answered(asked: Map<string, Waiting>, answer: Answered): Promise<void> {
    const waiting = asked.get(answer.key);
    if (waiting === undefined) return;
    asked.delete(answer.key);
    await waiting.done?.(answer);
    if (waiting.method === 'initialize') this.#introduced(waiting.params, answer.result);
    const id = textAt(answer.result, 'sessionId') ?? textAt(waiting.params, 'sessionId');
    const cwd = textAt(waiting.params, 'cwd');
    // `new`, `load`, `resume` and `fork` alike say where it works.
    if (answer.isError || id === undefined || cwd === undefined || !waiting.method.startsWith('session/')) return;
    this.#sessions.set(id, { id, cwd, calls: new Map() });
    this.#recorder.start(id, cwd);
  }

  #introduced(editor: Payload, agent: Payload): void {
    this.#recorder.agent = nameOf(agent);
    const isWriter = payloadOf(payloadOf(editor.clientCapabilities).fs).writeTextFile === true;
    this.#isToldByWrites = isWriter && this.#recorder.agent === EDITS_THROUGH_EDITOR;
    this.#isToldByText = this.#isToldByWrites && TEXT_ERRORS.test(textAt(payloadOf(agent.agentInfo), 'version') ?? '');
  }

  /** The agent gets it when it is recorded: its hooks may tell of the same one then. */
  async #prompt(params: Payload): Promise<void> {
    const session = this.#sessions.get(textAt(params, 'sessionId') ?? '');
    if (session === undefined) return;
    const { id, cwd } = session;
    const blocks = (Array.isArray(params.prompt) ? params.prompt : []).map(payloadOf);
    const text = blocks.flatMap((block) => (block.type === 'text' ? (textAt(block, 'text') ?? []) : [])).join('\n');
    await this.#recorder.note(cwd, { kind: 'prompt', session: id, text, cwd });
    for (const path of blocks.flatMap(embeddedPath))
      void this.#recorder.note(cwd, { kind: 'mention', session: id, path, cwd });
  }

  /** The agent does not wait for anybody here, so that nothing can be denied. */
  #update(params: Payload): void {
    const update = payloadOf(params.update);
    const session = this.#sessions.get(textAt(params, 'sessionId') ?? '');
    if (session === undefined || !/^tool_call(_update)?$/.test(textAt(update, 'sessionUpdate') ?? '')) return;
    const call = this.#heardOf(session, update);
    if (call === null || call.state === 'ended') return;
    if (call.status === 'completed' || call.status === 'failed') this.#end(session, call);
    else if (call.status === 'in_progress' && call.state === 'announced')
      void this.#begin(session, call, { observe: true });
  }

  async #permission({ id, params }: Request): Promise<Fate> {
    const session = this.#sessions.get(textAt(params, 'sessionId') ?? '');
    if (session === undefined) return 'pass';
    const call = this.#heardOf(session, payloadOf(params.toolCall));
    const isLater = this.#isToldByWrites && call?.kind === 'edit';
    const reason = call === null || isLater ? null : await this.#begin(session, this.#asked(session, call), {});
    if (call === null || reason === null) return 'pass';
    const options = (Array.isArray(params.options) ? params.options : []).map(payloadOf);
    const reject = ['reject_once', 'reject_always']
      .map((kind) => options.find((option) => option.kind === kind))
      .find((option) => option !== undefined);
    const outcome =
      reject === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: reject.optionId };
    return {
      answer: lineOf({ id, result: { outcome, _meta: { 'palimpsest/denied': reason } } }),
      toEditor: this.#told(session, call, reason),
    };
  }

  async #write(request: Request): Promise<Fate> {
    const { id, params } = request;
    const session = this.#sessions.get(textAt(params, 'sessionId') ?? '');
    const path = textAt(params, 'path');
    const content = textAt(params, 'content');
    if (session === undefined || path === undefined || content === undefined) return 'pass';
    const callId = this.#callOfWrite(session, path);
    if (callId === null) return 'pass';
    const body = { session: session.id, callId, tool: 'Write', input: { path, content } };
    const reason = await this.#recorder.begin(session.cwd, body);
    if (reason !== null) return { answer: lineOf({ id, error: this.#error(harmlessLines(reason)) }) };
    this.#ofAgent.set(request.key, {
      ...request,
      done: ({ isError }) => this.#recorder.end(session.cwd, { ...body, ok: !isError }),
    });
    return 'pass';
  }

  /**
   * Under which name a write is recorded; null for one that is part of a call which is guarded already, by an agent that
   * writes the file itself as well. A call that we have heard of, and no more, becomes the write. One that began is over
   * with it: much time may have passed since, while a person was asked, and the guard has to look again.
   */
  #callOfWrite(session: Session, path: string): string | null {
    const call = [...session.calls.values()].findLast(({ paths }) => paths.includes(path));
    if (call === undefined) return `write-${++this.#writes}`;
    const isBegun = call.state === 'begun';
    if (isBegun && Object.keys(call.input).length > 0) return null;
    if (isBegun) this.#recorder.end(session.cwd, { session: session.id, callId: call.as });
    session.calls.set(call.id, spent(call));
    return isBegun ? `${call.id}.write` : call.id;
  }

  #error(message: string): unknown {
    return this.#isToldByText ? message : { code: DENIED, message };
  }

  /** The agent gets what was read when that is recorded: what changes after that is known to be newer. */
  async #read(request: Request): Promise<Fate> {
    const { params } = request;
    const session = this.#sessions.get(textAt(params, 'sessionId') ?? '');
    const path = textAt(params, 'path');
    if (session === undefined || path === undefined || !this.#isShown(session)) return 'pass';
    const lines = linesIn(params);
    const note = {
      kind: 'read',
      session: session.id,
      path,
      cwd: session.cwd,
      ...(lines === null ? {} : { lines }),
    } as const;
    this.#ofAgent.set(request.key, {
      ...request,
      done: async ({ isError }) => {
        if (!isError) await this.#recorder.note(session.cwd, note);
      },
    });
    await this.#recorder.settled();
    return 'pass';
  }

  #isShown({ calls }: Session): boolean {
    if (this.#recorder.agent !== EDITS_THROUGH_EDITOR) return true;
    return [...calls.values()].some(({ kind, state }) => kind === 'read' && state !== 'ended');
  }

  #heardOf(session: Session, told: Payload): Call | null {
    const before = session.calls.get(textAt(told, 'toolCallId') ?? '');
    const known = toolCallOf(told, before);
    if (known === null) return null;
    const call: Call = { ...known, state: before?.state ?? 'announced', as: before?.as ?? known.id };
    session.calls.set(call.id, call);
    return call;
  }

  /** The reason if it is denied; nothing is said of a call of which too little is known. */
  async #begin(session: Session, call: Call, how: { readonly observe?: true }): Promise<string | null> {
    const known = knownCall(call);
    if (known === null) return null;
    session.calls.set(call.id, { ...call, state: 'begun' });
    const body = { session: session.id, callId: call.as, ...known, ...how };
    const reason = await this.#recorder.begin(session.cwd, body);
    if (reason !== null) session.calls.set(call.id, spent(call));
    return reason;
  }

  /** One that was said to run before anybody was asked could not be denied then; it begins anew. */
  #asked(session: Session, call: Call): Call {
    if (call.state !== 'begun') return call;
    this.#recorder.end(session.cwd, { session: session.id, callId: call.as });
    return { ...call, as: `${call.id}.asked` };
  }

  #end(session: Session, call: Call): void {
    session.calls.set(call.id, spent(call));
    const known = knownCall(call);
    if (known === null && call.state === 'announced') return;
    const { as: callId, status, output } = call;
    const said = output === undefined ? {} : { output };
    this.#recorder.end(session.cwd, { session: session.id, callId, ...known, ...said, ok: status === 'completed' });
  }

  /** An answer to a permission has no room for words, so the editor shows them with the call. */
  #told(session: Session, { id, title, kind, paths }: Call, reason: string): Buffer {
    const content = [{ type: 'content', content: { type: 'text', text: harmlessLines(reason) } }];
    const locations = paths.map((path) => ({ path }));
    const call = { toolCallId: id, title: title ?? id, ...(kind === undefined ? {} : { kind }), locations, content };
    const update = { sessionUpdate: 'tool_call', ...call, status: 'failed' };
    return lineOf({ method: 'session/update', params: { sessionId: session.id, update } });
  }
}

/** Of a call that is over only that is kept: a session may make thousands. */
function spent({ id, as, kind }: Call): Call {
  const nothing = { status: undefined, name: undefined, title: undefined, output: undefined, input: {}, diffs: [] };
  return { ...nothing, paths: [], id, as, kind, state: 'ended' };
}

/** One of those that the protocol leaves to applications. */
const DENIED = -32_010;

/** Agents that are known by another name than the one they introduce themselves with keep it. */
function nameOf(initialized: Payload): string {
  const told = textAt(payloadOf(initialized.agentInfo), 'name') ?? 'acp';
  const words = told.toLowerCase().split(/[^a-z]+/);
  return AGENT_NAMES.find((name) => words.includes(AGENTS[name].program)) ?? told;
}

function linesIn({ line, limit }: Payload): [number, number] | null {
  if (typeof line !== 'number' && typeof limit !== 'number') return null;
  const from = typeof line === 'number' ? Math.max(1, line) : 1;
  return [from, typeof limit === 'number' ? Math.max(from, from + limit - 1) : LAST_LINE];
}

/** A file whose text goes to the model along with the prompt. */
function embeddedPath(block: Payload): readonly string[] {
  const resource = payloadOf(block.resource);
  const uri = textAt(resource, 'uri');
  if (block.type !== 'resource' || textAt(resource, 'text') === undefined || uri === undefined) return [];
  try {
    const { protocol, pathname } = new URL(uri);
    return protocol === 'file:' ? [decodeURIComponent(pathname)] : [];
  } catch {
    return []; // Not an address.
  }
}
