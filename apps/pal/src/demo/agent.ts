import type { Stage } from './stage.js';

export type Permission = {
  readonly decision: 'allow' | 'warn' | 'deny';
  readonly reason?: string;
  readonly notices: readonly { readonly text: string }[];
};

/** An agent with a script for a model. It tells pal what every agent's hooks tell it: each call, before and after. */
export class ScriptedAgent {
  readonly session: string;
  readonly #stage: Stage;
  #calls = 0;

  constructor(stage: Stage, session: string) {
    this.#stage = stage;
    this.session = session;
  }

  async start(name: string): Promise<void> {
    const { exit, stderr } = await this.#stage.pal(['session', 'start', '--id', this.session, '--agent', name]);
    if (exit !== 0) throw new Error(`pal session start: ${stderr}`);
  }

  async readFile(path: string): Promise<void> {
    await this.call('Read', { file_path: path }, async () => undefined);
  }

  /** Replaces text that stands in the file once, if it is allowed to. */
  async edit(path: string, oldText: string, newText: string): Promise<Permission> {
    return this.call('Edit', { file_path: path, old_string: oldText, new_string: newText }, async () => {
      this.#stage.write(
        path,
        this.#stage.read(path).replace(oldText, () => newText),
      );
    });
  }

  async shell(command: string): Promise<Permission> {
    return this.call('Bash', { command }, async () => {
      const { exit, stderr } = await this.#stage.run('sh', ['-c', command]);
      if (exit !== 0) throw new Error(`the demo's own command failed: ${command}: ${stderr}`);
    });
  }

  async call(tool: string, input: unknown, work: () => Promise<void>): Promise<Permission> {
    const callId = `call-${++this.#calls}`;
    const permission = await this.#say<Permission>('begin', { session: this.session, callId, tool, input });
    if (permission.decision === 'deny') return permission;
    await work();
    await this.#say('end', { session: this.session, callId, ok: true });
    return permission;
  }

  async #say<T>(when: 'begin' | 'end', what: unknown): Promise<T> {
    const { stdout, stderr } = await this.#stage.pal(['tool', when, '--json'], JSON.stringify(what));
    const answer = JSON.parse(stdout === '' ? '{}' : stdout) as T & { error?: { message: string } };
    if (answer.error !== undefined || stdout === '')
      throw new Error(`pal tool ${when}: ${answer.error?.message ?? stderr}`);
    return answer;
  }
}
