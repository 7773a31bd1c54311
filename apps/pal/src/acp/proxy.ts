import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { Conversation } from './conversation.js';
import { linesOf } from './lines.js';
import { messageIn } from './message.js';
import { Recorder, type RecorderOptions } from './recorder.js';

export type ProxyOptions = RecorderOptions & {
  readonly words: readonly string[];
  readonly directory: string;
  readonly editor: { readonly input: Readable; readonly output: Writable };
};

export type ProxyEnd = { readonly exitCode: number; readonly fault: string | null };

const NOT_FOUND = 127;
const SIGNALED = 128;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Stands between an editor and its agent. Each line goes on as it came, unless we answer it ourselves; ends with the
 * agent, and as it did.
 */
export async function runProxy({ words, directory, editor, ...options }: ProxyOptions): Promise<ProxyEnd> {
  const [program, ...args] = words as [string, ...string[]];
  const env = options.environment as NodeJS.ProcessEnv;
  const agent = spawn(program, args, { cwd: directory, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = endOf(agent);
  for (const signal of FORWARDED) process.on(signal, () => agent.kill(signal));
  // Whoever goes first closes its end; what the other still writes has no reader.
  for (const pipe of [agent.stdin, editor.output]) pipe.on('error', () => undefined);
  const recorder = new Recorder(options);
  const conversation = new Conversation(recorder);
  void forwardFromEditor();
  await forwardFromAgent();
  const end = await ended;
  conversation.over();
  await recorder.settled();
  return end;

  async function forwardFromEditor(): Promise<void> {
    for await (const line of linesOf(editor.input)) {
      const message = messageIn(line);
      if (message !== null) await conversation.fromEditor(message);
      await write(agent.stdin, line);
    }
    agent.stdin.end();
  }

  async function forwardFromAgent(): Promise<void> {
    for await (const line of linesOf(agent.stdout)) {
      const message = messageIn(line);
      const fate = message === null ? 'pass' : await conversation.fromAgent(message);
      if (fate === 'pass') await write(editor.output, line);
      else {
        if (fate.toEditor !== undefined) await write(editor.output, fate.toEditor);
        await write(agent.stdin, fate.answer);
      }
    }
  }
}

/** With backpressure: whoever reads slowly is not buffered for. */
async function write(stream: Writable, line: Buffer): Promise<void> {
  if (stream.writable && !stream.write(line)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
}

function endOf(agent: ReturnType<typeof spawn>): Promise<ProxyEnd> {
  return new Promise((resolve) => {
    agent.on('error', (error: NodeJS.ErrnoException) => {
      if (agent.pid === undefined) resolve({ exitCode: NOT_FOUND, fault: error.code ?? error.message });
    });
    agent.on('exit', (code, signal) => {
      const exitCode = code ?? SIGNALED + (signal === null ? 0 : constants.signals[signal]);
      resolve({ exitCode, fault: null });
    });
  });
}
