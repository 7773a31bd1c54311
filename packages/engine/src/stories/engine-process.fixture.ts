import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Operation } from '@palimpsest/core';
import type { Note } from '../call/notes.js';
import type { BeginRequest, EndRequest } from '../workspace.js';

const PROGRAM = fileURLToPath(new URL('./engine-process.mjs', import.meta.url));

/** A workspace that is open in a process of its own. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  readonly #ready: Promise<void>;
  readonly faults: string[] = [];
  #lastId = 0;

  private constructor(root: string, data: string) {
    this.#child = spawn(process.execPath, [PROGRAM, root, data], { stdio: ['pipe', 'pipe', 'inherit'] });
    let ready: () => void = () => undefined;
    this.#ready = new Promise((resolve, reject) => {
      ready = resolve;
      this.#child.once('exit', (code) => reject(new Error(`the engine ended with ${code}`)));
    });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      const message = JSON.parse(line) as {
        ready?: true;
        id?: number;
        value?: unknown;
        error?: string;
        fault?: string;
      };
      if (message.ready) ready();
      if (message.fault !== undefined) this.faults.push(message.fault);
      const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
      if (waiting === undefined) return;
      this.#waiting.delete(message.id!);
      if (message.error === undefined) waiting.resolve(message.value);
      else waiting.reject(new Error(message.error));
    });
  }

  static async start(root: string, data: string): Promise<EngineProcess> {
    const engine = new EngineProcess(root, data);
    await engine.#ready;
    return engine;
  }

  begin = (request: BeginRequest) => this.ask<{ value: { decision: string; reason: string } }>('begin', request);
  end = (request: EndRequest) => this.ask('end', request);
  note = (note: Note) => this.ask('note', note);
  look = () => this.ask('look');
  close = () => this.ask('close');
  operations = (since = 0) => this.ask<readonly Operation[]>('operations', since, 1_000_000);

  ask<T = unknown>(verb: string, ...args: readonly unknown[]): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#child.stdin!.write(`${JSON.stringify({ id, verb, args })}\n`);
    });
  }

  /** Ends it as a crash would. Whatever was asked and not answered stays open for ever. */
  async kill(): Promise<void> {
    this.#waiting.clear();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}
