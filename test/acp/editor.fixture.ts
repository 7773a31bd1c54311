import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type ClientContext,
  client,
  ndJsonStream,
  RequestError,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import type { ended, Workspace } from '../cli/pal.fixture.js';

export const AGENT = fileURLToPath(new URL('agent.fixture.mjs', import.meta.url));

export type Update = SessionNotification['update'];
export type EditorOptions = {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the person at the editor says to a request for permission. */
  readonly permits?: 'allow_once' | 'reject_once';
};

/** An editor over the official SDK, with an agent behind `pal acp`. */
export class Editor {
  readonly workspace: Workspace;
  readonly child: ChildProcess;
  readonly exited: ReturnType<typeof ended>;
  readonly updates: Update[] = [];
  readonly asked: string[] = [];
  readonly agent: ClientContext;
  sessionId = '';

  private constructor(
    workspace: Workspace,
    { words = [process.execPath, AGENT], env = {}, permits = 'allow_once' }: EditorOptions,
  ) {
    this.workspace = workspace;
    this.child = workspace.user.start(['acp', '--', ...words], { cwd: workspace.root, env });
    // Before `ended`, which makes text of what comes: here the SDK reads bytes.
    const stream = ndJsonStream(
      Writable.toWeb(this.child.stdin!) as WritableStream<Uint8Array>,
      Readable.toWeb(this.child.stdout!) as ReadableStream<Uint8Array>,
    );
    this.exited = new Promise((resolve) =>
      this.child.on('exit', (exit, signal) => resolve({ exit: exit ?? -1, signal, stdout: '', stderr: '' })),
    );
    const app = client()
      .onNotification('session/update', ({ params }) => void this.updates.push(params.update))
      .onRequest('session/request_permission', ({ params }) => {
        this.asked.push(params.toolCall.toolCallId);
        const { optionId } = params.options.find(({ kind }) => kind === permits)!;
        return { outcome: { outcome: 'selected', optionId } };
      })
      .onRequest('fs/read_text_file', ({ params: { path, line, limit } }) => {
        if (!existsSync(path)) throw RequestError.resourceNotFound(path);
        const from = (line ?? 1) - 1;
        const lines = readFileSync(path, 'utf8').split(/(?<=\n)/);
        return { content: lines.slice(from, from + (limit ?? lines.length)).join('') };
      })
      .onRequest('fs/write_text_file', ({ params: { path, content } }) => {
        writeFileSync(path, content);
        return {};
      });
    this.agent = app.connect(stream).agent;
  }

  static async open(workspace: Workspace, options: EditorOptions = {}): Promise<Editor> {
    const editor = new Editor(workspace, options);
    await editor.agent.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
    });
    const opened = await editor.agent.request('session/new', { cwd: workspace.root, mcpServers: [] });
    editor.sessionId = opened.sessionId;
    return editor;
  }

  prompt(text: string) {
    return this.agent.request('session/prompt', { sessionId: this.sessionId, prompt: [{ type: 'text', text }] });
  }

  /** Has the scripted agent do these, and gives what came of each. */
  async do(...actions: readonly object[]): Promise<readonly unknown[]> {
    this.updates.length = 0;
    await this.prompt(JSON.stringify(actions));
    const said = this.updates.findLast(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    return JSON.parse((said as { content: { text: string } }).content.text) as readonly unknown[];
  }

  /** As an editor leaves: it closes its end. */
  async leave(): Promise<number> {
    this.child.stdin!.end();
    return (await this.exited).exit;
  }
}
