import { HttpDoor, type Said } from './http-door.js';
import { McpDoor } from './mcp-door.js';
import type { World } from './world.js';

export type Way = 'HTTP' | 'command line' | 'MCP';

export type Selection = {
  readonly changes?: readonly string[];
  readonly hunks?: readonly string[];
  readonly call?: string;
  readonly path?: string;
  readonly session?: string;
  readonly all?: boolean;
};
export type Cascade = 'dependents' | 'file';
export type RestoreAsked = { readonly paths?: readonly string[]; readonly keepMine?: boolean };

/** Everything that is asked of us, by whichever door. The answers have the same fields through all of them. */
export class Desk {
  readonly http: HttpDoor;
  readonly #world: World;
  #mcp: McpDoor | null = null;
  #id = '';

  constructor(world: World) {
    this.#world = world;
    this.http = new HttpDoor(world.data);
  }

  async open(): Promise<Said> {
    this.http.forgetAddress();
    const said = await this.http.ask('POST', '/v1/workspaces', { root: this.#world.root, exact: true });
    if (said.ok) this.#id = (said.value.workspace as { id: string }).id;
    return said;
  }

  get store(): string {
    return `${this.#world.data}/workspaces/${this.#id}/content.git`;
  }

  get workspace(): string {
    return this.#id;
  }

  async mcp(): Promise<McpDoor> {
    this.#mcp ??= await McpDoor.open(this.#world);
    return this.#mcp;
  }

  begin(call: Readonly<Record<string, unknown>>, way: Way = 'HTTP'): Promise<Said> {
    return way === 'HTTP' ? this.#post('/tool/begin', call) : this.#cli(['tool', 'begin'], JSON.stringify(call));
  }

  end(call: Readonly<Record<string, unknown>>, way: Way = 'HTTP'): Promise<Said> {
    return way === 'HTTP' ? this.#post('/tool/end', call) : this.#cli(['tool', 'end'], JSON.stringify(call));
  }

  note(note: Readonly<Record<string, unknown>>): Promise<Said> {
    return this.#post('/notes', note);
  }

  /** Asking what is stale looks at the disk. */
  look(): Promise<Said> {
    return this.#get('/stale?session=nobody');
  }

  stale(session: string): Promise<Said> {
    return this.#get(`/stale?session=${session}`);
  }

  status(way: Way = 'HTTP'): Promise<Said> {
    return way === 'command line' ? this.#cli(['status']) : this.#get('/status');
  }

  changes(status: string, way: Way = 'HTTP'): Promise<Said> {
    switch (way) {
      case 'HTTP':
        return this.#get(`/changes?status=${status}`);
      case 'command line':
        return this.#cli(['changes', '--status', status]);
      case 'MCP':
        return this.#tool('pal_changes', { status });
    }
  }

  change(id: string): Promise<Said> {
    return this.#get(`/changes/${id}`);
  }

  operations(since: number): Promise<Said> {
    return this.#get(`/operations?since=${since}&limit=10000`);
  }

  verdict(
    verdict: 'accept' | 'reject',
    selection: Selection,
    options: { readonly dryRun: boolean; readonly cascade?: Cascade; readonly comment?: string; readonly at?: number },
    way: Way = 'HTTP',
  ): Promise<Said> {
    const { dryRun, cascade, comment, at } = options;
    switch (way) {
      case 'HTTP':
        return this.#post(`/${verdict}`, { ...selection, ...options });
      case 'command line':
        return this.#cli([
          verdict,
          ...(selection.changes ?? []),
          ...(selection.hunks ?? []),
          ...(selection.call === undefined ? [] : ['--call', selection.call]),
          ...(selection.path === undefined ? [] : [`--path=${selection.path}`]),
          ...(selection.session === undefined ? [] : ['--session', selection.session]),
          ...(selection.all === true ? ['--all'] : []),
          ...(dryRun ? ['--dry-run'] : []),
          ...(cascade === undefined ? [] : ['--cascade', cascade]),
          ...(comment === undefined ? [] : ['--comment', comment]),
          ...(at === undefined ? [] : ['--at', `${at}`]),
        ]);
      case 'MCP':
        return this.#tool(`pal_${verdict}`, {
          ...selection,
          dry_run: dryRun,
          ...(cascade === undefined ? {} : { cascade }),
          ...(comment === undefined ? {} : { comment }),
        });
    }
  }

  undo(verb: 'undo' | 'redo', dryRun: boolean, way: Way = 'HTTP'): Promise<Said> {
    if (way === 'command line') return this.#cli([verb, ...(dryRun ? ['--dry-run'] : [])]);
    if (way === 'MCP' && verb === 'undo') return this.#tool('pal_undo', { dry_run: dryRun });
    return this.#post(`/${verb}`, { dryRun });
  }

  conflicts(): Promise<Said> {
    return this.#get('/conflicts');
  }

  resolve(change: string, how: { readonly take: 'ours' | 'theirs' } | { readonly base64: string }): Promise<Said> {
    return this.#post(`/changes/${change}/resolve`, how);
  }

  blame(path: string, way: Way = 'HTTP'): Promise<Said> {
    switch (way) {
      case 'HTTP':
        return this.#get(`/blame?path=${encodeURIComponent(path)}`);
      case 'command line':
        return this.#cli(['blame', '--', path]);
      case 'MCP':
        return this.#tool('pal_blame', { path });
    }
  }

  save(message: string, way: Way = 'HTTP'): Promise<Said> {
    switch (way) {
      case 'HTTP':
        return this.#post('/checkpoints', { message });
      case 'command line':
        return this.#cli(['checkpoint', 'save', '-m', message]);
      case 'MCP':
        return this.#tool('pal_checkpoint_save', { message });
    }
  }

  checkpoints(): Promise<Said> {
    return this.#get('/checkpoints');
  }

  compare(from: string, to: string | null): Promise<Said> {
    return this.#get(`/checkpoints/${from}/diff${to === null ? '' : `?to=${to}`}`);
  }

  plan(checkpoint: string, asked: RestoreAsked): Promise<Said> {
    return this.#post(`/checkpoints/${checkpoint}/plan`, asked);
  }

  restore(checkpoint: string, asked: RestoreAsked, token: string | null, way: Way = 'HTTP'): Promise<Said> {
    switch (way) {
      case 'HTTP':
        return this.#post(`/checkpoints/${checkpoint}/restore`, { ...asked, ...(token === null ? {} : { token }) });
      case 'command line':
        return this.#cli([
          'checkpoint',
          'restore',
          checkpoint,
          ...(asked.paths === undefined ? [] : ['--paths', ...asked.paths]),
          ...(asked.keepMine === true ? ['--keep-mine'] : []),
        ]);
      case 'MCP':
        return this.#tool('pal_restore_apply', {
          checkpoint,
          ...(asked.paths === undefined ? {} : { paths: asked.paths }),
          ...(asked.keepMine === undefined ? {} : { keep_mine: asked.keepMine }),
          token,
        });
    }
  }

  removeCheckpoint(checkpoint: string): Promise<Said> {
    return this.http.ask('DELETE', this.#at(`/checkpoints/${checkpoint}`));
  }

  gc(dryRun: boolean): Promise<Said> {
    return this.#post('/gc', { dryRun });
  }

  forget(what: string, dryRun: boolean, way: Way = 'HTTP'): Promise<Said> {
    if (way === 'command line') return this.#cli(['forget', '--', what, ...(dryRun ? ['--dry-run'] : [])]);
    return this.#post('/forget', { what, dryRun });
  }

  notices(session: string): Promise<Said> {
    return this.#get(`/sessions/${session}/notices`);
  }

  startSession(id: string, agent: string): Promise<Said> {
    return this.#post('/sessions', { id, agent });
  }

  endSession(id: string): Promise<Said> {
    return this.#post(`/sessions/${id}/end`, {});
  }

  content(id: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    return this.http.fetch('GET', this.#at(`/contents/${id}`));
  }

  /** The daemon is to be another one; the workspace stays the same. */
  async daemonGone(): Promise<void> {
    this.http.forgetAddress();
    await this.leaveMcp();
  }

  async leaveMcp(): Promise<void> {
    await this.#mcp?.leave();
    this.#mcp = null;
  }

  async leave(): Promise<void> {
    await this.leaveMcp();
    this.http.leave();
  }

  async #tool(name: string, input: Readonly<Record<string, unknown>>): Promise<Said> {
    return (await this.mcp()).call(name, input);
  }

  #get(path: string): Promise<Said> {
    return this.http.ask('GET', this.#at(path));
  }

  #post(path: string, body: unknown): Promise<Said> {
    return this.http.ask('POST', this.#at(path), body);
  }

  #at(path: string): string {
    return `/v1/workspaces/${this.#id}${path}`;
  }

  async #cli(args: readonly string[], stdin = ''): Promise<Said> {
    const { exit, stdout, stderr } = this.#world.pal(['--json', ...args], stdin);
    let value: Record<string, unknown>;
    try {
      value = JSON.parse(stdout) as Record<string, unknown>;
    } catch {
      throw new Error(`pal ${args.join(' ')} did not print one JSON document: ${stdout} ${stderr}`);
    }
    const code = (value.error as { code?: string } | undefined)?.code ?? '';
    return { ok: code === '', code: code === '' && exit !== 0 ? `exit ${exit}` : code, value };
  }
}
