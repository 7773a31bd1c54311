import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { type AgentForks, type OpenRefusal, openWorkspace, workspaceId } from '@palimpsest/engine';
import type { KnownRefusal, SettingsJson, WorkspaceFactsJson } from '@palimpsest/protocol';
import { missedFile } from '../../hook/missed.js';
import { errorCode } from '../../surroundings/error-code.js';
import { findRoot, type RootQuestions, realFolder } from '../../surroundings/find-root.js';
import { ownWorktreeOf, ownWorktreesIn } from '../../surroundings/own-worktree.js';
import { PRIVATE_FOLDER, writePrivateJson } from '../../surroundings/private-file.js';
import { refusalOfFault } from './fault.js';
import { HostedWorkspace } from './hosted-workspace.js';
import { type LogFile, logFiles } from './log-file.js';
import { effectiveSettings, readSettings, writeSettings } from './settings-file.js';
import { factsOf, isFolder, waitingIn, writeStanding } from './workspace-facts.js';

export type WorkspacesOptions = {
  readonly dataDir: string;
  readonly log: LogFile;
  readonly now: () => number;
  /** What git may inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Forks the conversations that agents keep themselves. */
  readonly forks?: AgentForks;
  /** Folders that are never a workspace, such as the user's home. */
  readonly tooWide: readonly string[];
};

export type KnownWorkspace = { readonly id: string; readonly root: string };

/**
 * All workspaces of one user. Each is opened when it is first asked for, and one that cannot be opened is only its own
 * trouble: the next request tries again.
 */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #hosted = new Map<string, Promise<Outcome<HostedWorkspace, KnownRefusal>>>();
  readonly #open = new Map<string, HostedWorkspace>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #questions: RootQuestions;
  #stopped = false;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    const tooWide = new Set(options.tooWide.map((folder) => realFolder(folder) ?? folder));
    this.#questions = {
      isKnown: (folder) => this.#rootOf(workspaceId(folder)) !== null,
      isTooWide: (folder) => tooWide.has(folder),
    };
  }

  /** The workspace that a folder belongs to, whether or not it was known before. */
  find(folder: string, how: 'exact' | 'enclosing'): Outcome<KnownWorkspace, KnownRefusal> {
    const id = ownWorktreeOf(folder, this.#options.dataDir);
    const of = id === null ? null : this.#rootOf(id);
    if (id !== null && of !== null) return ok({ id, root: of });
    const root = how === 'exact' ? realFolder(folder) : findRoot(folder, this.#questions);
    return root === null ? failed({ code: 'not-a-folder', root: folder }) : ok({ id: workspaceId(root), root });
  }

  /** Opens it if it is not open, and remembers it if it is new. */
  async open({ id, root }: KnownWorkspace): Promise<Outcome<HostedWorkspace, KnownRefusal>> {
    if (this.#stopped) return failed({ code: 'stopping' });
    await this.#closing.get(id);
    const hosted = this.#hosted.get(id);
    if (hosted !== undefined) return hosted;
    const opening = this.#openNow(id, root);
    this.#hosted.set(id, opening);
    const opened = await opening;
    if (!opened.ok) this.#hosted.delete(id);
    return opened;
  }

  /** Runs `work` with the workspace open, and keeps it open meanwhile. */
  async use<T>(
    id: string,
    work: (hosted: HostedWorkspace) => Promise<Outcome<T, KnownRefusal>>,
  ): Promise<Outcome<T, KnownRefusal>> {
    const entered = await this.enter(id);
    if (!entered.ok) return entered;
    const { hosted, leave } = entered.value;
    try {
      return await work(hosted);
    } finally {
      leave();
    }
  }

  async enter(
    id: string,
  ): Promise<Outcome<{ readonly hosted: HostedWorkspace; readonly leave: () => void }, KnownRefusal>> {
    const root = this.#open.get(id)?.workspace.root ?? this.#rootOf(id);
    if (root === null) return failed({ code: 'unknown-workspace', workspace: id });
    // One that was moved or removed may come back, and stays open; meanwhile there is nothing to tell about it.
    if (!isFolder(root)) return failed({ code: 'not-a-folder', root });
    const opened = await this.open({ id, root });
    if (!opened.ok) return opened;
    // Between the answer and now nothing has run that could have closed it.
    return ok({ hosted: opened.value, leave: opened.value.enter() });
  }

  /** What is set for a workspace, and what holds with what the user set for all of them. */
  settings(
    id: string,
  ): Outcome<{ readonly set: SettingsJson; readonly effective: Record<string, unknown> }, KnownRefusal> {
    if (this.#rootOf(id) === null) return failed({ code: 'unknown-workspace', workspace: id });
    const { set, unreadable } = readSettings(join(this.#folder(), id));
    // Whoever changed it by hand may want to mend it; it is not written over.
    if (unreadable !== null) return failed({ code: 'damaged', what: unreadable });
    return ok({ set, effective: { ...effectiveSettings(readSettings(this.#options.dataDir).set, set) } });
  }

  /** Settings hold from an open to a close, so an open workspace is opened anew. */
  async change(id: string, set: SettingsJson): Promise<void> {
    writeSettings(join(this.#folder(), id), set);
    const hosted = this.#open.get(id);
    if (hosted !== undefined) await this.#close(hosted);
  }

  listOpen(): readonly HostedWorkspace[] {
    return [...this.#open.values()];
  }

  /** Every workspace that was ever opened here and whose data is still there. */
  known(): readonly KnownWorkspace[] {
    return listFolder(this.#folder()).flatMap((id) => {
      const root = this.#rootOf(id);
      return root === null ? [] : [{ id, root }];
    });
  }

  facts(known: KnownWorkspace): Promise<WorkspaceFactsJson> {
    return factsOf(known, join(this.#folder(), known.id), this.#open.get(known.id) ?? null);
  }

  /** Removes all that is kept of one. It is unknown from the first step on, so that a run cut short leaves only bytes. */
  async forget(id: string, how: 'done' | 'dry-run'): Promise<Outcome<WorkspaceFactsJson, KnownRefusal>> {
    const root = this.#rootOf(id);
    if (root === null) return failed({ code: 'unknown-workspace', workspace: id });
    const facts = await this.facts({ id, root });
    if (how === 'dry-run') return ok(facts);
    // Git's entries of them are in the user's repository, and would stay.
    const worktrees = ownWorktreesIn(join(this.#folder(), id));
    if (worktrees.length > 0) return failed({ code: 'has-worktrees', worktrees });
    const hosted = this.#open.get(id);
    if (hosted !== undefined && hosted.users > 0) return failed({ code: 'busy' });
    if (hosted !== undefined) await this.#close(hosted);
    const folder = join(this.#folder(), id);
    rmSync(join(folder, ROOT_NAME), { force: true });
    rmSync(folder, { recursive: true, force: true });
    this.#options.log.write('workspace-forgotten', { workspace: id, root });
    return ok(facts);
  }

  /** Closes those that `isIdle` names, unless somebody is with them. */
  async closeIdle(isIdle: (hosted: HostedWorkspace) => boolean): Promise<void> {
    const idle = this.listOpen().filter((hosted) => hosted.users === 0 && isIdle(hosted));
    await Promise.all(idle.map((hosted) => this.#close(hosted)));
  }

  /** No workspace opens after this. */
  async closeAll(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#hosted.values());
    await Promise.all([...this.#closing.values(), ...this.listOpen().map((hosted) => this.#close(hosted))]);
  }

  async #openNow(id: string, root: string): Promise<Outcome<HostedWorkspace, KnownRefusal>> {
    const { log, environment, tooWide, now, forks } = this.#options;
    const data = join(this.#folder(), id);
    const startedAt = performance.now();
    try {
      mkdirSync(data, { recursive: true, mode: PRIVATE_FOLDER });
      const onFault = (error: unknown) => log.fault('workspace-fault', error, { workspace: id });
      const files = [readSettings(this.#options.dataDir), readSettings(data)];
      const remarks = files.flatMap(({ unreadable }) => (unreadable === null ? [] : [ignoredSettings(unreadable)]));
      const settings = effectiveSettings(...files.map(({ set }) => set));
      const { dataDir } = this.#options;
      const diaries = () => [...logFiles(dataDir), missedFile(dataDir)];
      const opened = await openWorkspace(root, {
        ...{ data, own: [dataDir], settings, environment, tooWide, now, onFault, remarks, diaries },
        ...(forks === undefined ? {} : { forks }),
      });
      if (!opened.ok) {
        log.write('workspace-refused', { workspace: id, root, code: opened.error.code });
        removeIfEmpty(data);
        return failed(refusalOf(opened.error, root));
      }
      this.#remember(id, root);
      const hosted = new HostedWorkspace(opened.value, now);
      this.#open.set(id, hosted);
      log.write('workspace-opened', { workspace: id, root, ms: Math.round(performance.now() - startedAt) });
      return ok(hosted);
    } catch (error) {
      log.fault('workspace-not-opened', error, { workspace: id, root });
      return failed(refusalOfFault(error, this.#options.dataDir));
    }
  }

  async #close(hosted: HostedWorkspace): Promise<void> {
    const { id } = hosted.workspace;
    this.#open.delete(id);
    this.#hosted.delete(id);
    const closing = this.#closed(hosted);
    this.#closing.set(id, closing);
    await closing;
    this.#closing.delete(id);
  }

  async #closed(hosted: HostedWorkspace): Promise<void> {
    const { id } = hosted.workspace;
    try {
      const { usedAt } = hosted;
      const waiting = await waitingIn(hosted.workspace);
      await hosted.close();
      writeStanding(join(this.#folder(), id), { ...waiting, usedAt });
      this.#options.log.write('workspace-closed', { workspace: id });
    } catch (error) {
      this.#options.log.fault('workspace-not-closed', error, { workspace: id });
    }
  }

  #folder(): string {
    return join(this.#options.dataDir, 'workspaces');
  }

  #remember(id: string, root: string): void {
    if (this.#rootOf(id) === root) return;
    writePrivateJson(join(this.#folder(), id, ROOT_NAME), { root });
  }

  #rootOf(id: string): string | null {
    if (!WORKSPACE_ID.test(id)) return null;
    try {
      const { root } = JSON.parse(readFileSync(join(this.#folder(), id, ROOT_NAME), 'utf8')) as { root?: unknown };
      return typeof root === 'string' ? root : null;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

const ROOT_NAME = 'root.json';
const WORKSPACE_ID = /^[0-9a-f]{16}$/;

/** What could not be a workspace is not counted as one. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
  }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The engine says `too-large` with no limit for a folder that is too wide, such as the user's home. */
function refusalOf(refusal: OpenRefusal, root: string): KnownRefusal {
  return refusal.code === 'too-large' && refusal.limit === 0 ? { code: 'too-wide', root } : refusal;
}

function ignoredSettings(file: string): string {
  return `${file} is no settings file, and nothing in it holds: mend it or delete it`;
}
