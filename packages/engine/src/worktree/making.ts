import { promises as fs } from 'node:fs';
import { basename, join } from 'node:path';
import { failed, type Outcome, ok, type WorkspacePath } from '@palimpsest/core';
import { readIndexFile } from '../git/index-file.js';
import { decodeName } from '../git/names.js';
import type { Git, GitError } from '../git/run.js';
import { fieldsOf } from '../git/user-history.js';
import { findRepository, indexPath, type UserRepository } from '../git/user-repository.js';
import { Coverage } from '../tree/coverage.js';
import { coverageRules } from '../tree/coverage-rules.js';
import { portBasesIn } from './found.js';
import { Furnishing } from './furnishing.js';
import { IncludeRules } from './include-rules.js';
import { copyIndex, headOf, linkRepository } from './link.js';
import { type Link, type Mark, markedFolder, SCRATCH, takeName, treeOf, worktreeOf, writeMark } from './mark.js';
import { portBaseOf } from './port-base.js';
import { writeRefused } from './refused-files.js';
import { removeMade } from './remove-worktree.js';
import { gitWords, outOfSpace, ScratchRepository } from './scratch-repository.js';
import { runSetup } from './setup.js';
import { leftOutOf, listedAs, type Survey, survey } from './survey.js';
import type { MadeWorktree, NotCarried, WorktreeRefusal, WorktreeRequest } from './worktree.js';

type Step<T> = Outcome<T, WorktreeRefusal>;
/** What is to be written, and what besides it is there. */
type Plan = {
  readonly survey: Survey;
  readonly leftOut: readonly WorkspacePath[];
  readonly notCarried: readonly NotCarried[];
};
type Linked = { readonly link: Link; readonly repository: UserRepository };

/** One worktree from the first mark to the last. The mark is always ahead of what it speaks of, so that it can be undone. */
export class Making {
  readonly #request: WorktreeRequest;
  #mark: Mark;

  constructor(request: WorktreeRequest) {
    this.#request = request;
    this.#mark = {
      version: 1,
      state: 'making',
      root: request.root,
      folder: folderName(request.repository?.topLevel ?? request.root),
      prefix: request.repository?.prefix ?? '',
      links: [],
      portBase: 0,
    };
  }

  /** False when the name is taken. */
  async begin(): Promise<boolean> {
    const { home, name } = this.#request;
    this.#mark = { ...this.#mark, portBase: portBaseOf(name, await portBasesIn(home)) };
    return takeName(home, name, this.#mark);
  }

  async make(): Promise<Step<MadeWorktree>> {
    const { objects, settings, tree } = this.#request;
    const scratch = await ScratchRepository.make(objects, join(this.#apart, SCRATCH));
    const held = await scratch.take(tree);
    if (!held.ok) return failed(refusalOfGit(held.error));
    const { index, refused } = held.value;
    const plan = await this.#plan([...index.entries, ...refused].map(({ path }) => path));
    const left = await scratch.leaveOut(plan.leftOut);
    if (!left.ok) return failed(refusalOfGit(left.error));
    const linked = await this.#link(plan.survey.repositories);
    if (!linked.ok) return linked;
    const { path, top } = this.#worktree;
    await fs.mkdir(path, { recursive: true });
    const written = await scratch.checkOut(path);
    if (!written.ok) return failed(refusalOfGit(written.error));
    const odd = refused.filter((file) => !plan.leftOut.includes(file.path as WorkspacePath));
    const notWritten = await writeRefused(objects, odd, path);
    for (const { link, repository } of linked.value.links)
      if (link.entry !== null) await copyIndex(repository, link.entry, written.value, this.#writtenAt(link));
    await fs.rm(join(this.#apart, SCRATCH), { recursive: true, force: true });
    const furnishing = new Furnishing({ from: this.#request.root, to: path, apart: this.#apart, settings });
    await furnishing.besides(plan.survey);
    if (top !== path) await furnishing.outside(this.#request.repository!, top);
    const setup = settings.setup === '' ? null : await this.#setUp();
    if (setup?.ok === false) return setup;
    await this.#note({ state: 'made' });
    return ok({
      ...this.#worktree,
      leftOut: plan.leftOut,
      carried: furnishing.carried,
      notCarried: [...plan.notCarried, ...linked.value.notCarried, ...notWritten, ...furnishing.notCarried],
      notCarriedBeyond: plan.survey.beyond,
      setup: setup?.value ?? null,
    });
  }

  /** The command is told what the agent will be told, and where the workspace is. */
  #setUp() {
    const { settings, environment, root } = this.#request;
    const { path, portBase } = this.#worktree;
    const told = { PAL_WORKTREE: path, PAL_PORT_BASE: String(portBase), PAL_WORKSPACE: root };
    const limitMs = settings.setupMs;
    return runSetup(settings.setup, { cwd: path, environment: { ...environment, ...told }, limitMs });
  }

  /** Everything that was made so far goes again. */
  async undo(): Promise<void> {
    await removeMade(this.#request.home, this.#request.name, this.#mark);
  }

  get #apart(): string {
    return markedFolder(this.#request.home, this.#request.name);
  }

  get #worktree() {
    return worktreeOf(this.#request.home, this.#request.name, this.#mark);
  }

  async #note(news: Partial<Mark>): Promise<void> {
    this.#mark = { ...this.#mark, ...news };
    await writeMark(this.#request.home, this.#request.name, this.#mark);
  }

  async #plan(paths: readonly string[]): Promise<Plan> {
    const { root, repository } = this.#request;
    const tracked = repository === null ? new Set<string>() : await trackedBelow(this.#request.objects.git, repository);
    const coverage = new Coverage(coverageRules(root, { tracked }));
    const include = IncludeRules.of(root);
    const inTree = new Set(paths);
    const surveyed = await survey(coverage, inTree, include);
    const leftOut = leftOutOf(inTree, coverage, include);
    const listed = new Set(surveyed.notCarried.map(({ path }) => path));
    const ignored = [...new Set(leftOut.map((path) => listedAs(coverage, path)))].filter((path) => !listed.has(path));
    return {
      survey: surveyed,
      leftOut,
      notCarried: [...surveyed.notCarried, ...ignored.map((path) => ({ path, reason: 'ignored' as const }))],
    };
  }

  /** The workspace's own repository and those inside of it, each as a linked worktree of its own. */
  async #link(
    nested: readonly string[],
  ): Promise<Step<{ readonly links: readonly Linked[]; readonly notCarried: readonly NotCarried[] }>> {
    const { root, repository } = this.#request;
    const links: Linked[] = [];
    const notCarried: NotCarried[] = [];
    if (repository !== null) {
      const linked = await this.#linkOne(repository, '');
      if (!linked.ok) return linked;
      if (linked.value !== null) links.push(linked.value);
    }
    // Git wants an empty folder for each, so the outer ones come first.
    for (const folder of [...nested].sort()) {
      const place = join(root, folder);
      const found = await findRepository(place).catch(() => null);
      const inner = found?.ok === true ? found.value : null;
      const isItself = inner !== null && inner.prefix === '' && inner.gitDir !== repository?.gitDir;
      const at = [this.#mark.prefix, folder.slice(0, -1)].filter(Boolean).join('/');
      const linked = isItself ? await this.#linkOne(inner, at) : null;
      if (linked?.ok === true && linked.value !== null) links.push(linked.value);
      else notCarried.push({ path: folder, reason: 'nested-repository' });
    }
    return ok({ links, notCarried });
  }

  /** Null for a repository without commits: git cannot link that, and its files come along as plain ones. */
  async #linkOne(repository: UserRepository, at: string): Promise<Step<Linked | null>> {
    const { git } = this.#request.objects;
    const head = await headOf(git, repository);
    if (head === null) return ok(null);
    const begun: Link = { at, commonDir: await fs.realpath(repository.commonDir), entry: null, head };
    const others = this.#mark.links;
    await this.#note({ links: [...others, begun] });
    const top = join(treeOf(this.#request.home, this.#request.name, this.#mark), at);
    const entry = await linkRepository(git, repository, begun, { top, apart: this.#apart });
    if (!entry.ok) {
      await this.#note({ links: others });
      return failed(refusalOfGit(entry.error));
    }
    const link = { ...begun, entry: entry.value };
    await this.#note({ links: [...others, link] });
    return ok({ link, repository });
  }

  /** From a path of a linked repository to the path in the workspace; null for what is outside of it. */
  #writtenAt({ at }: Link): (path: string) => string | null {
    const lead = this.#mark.prefix === '' ? '' : `${this.#mark.prefix}/`;
    const own = at === '' ? '' : `${at}/`;
    return (path) => {
      const whole = own + path;
      return whole.startsWith(lead) ? whole.slice(lead.length) : null;
    };
  }
}

async function trackedBelow(git: Git, repository: UserRepository): Promise<ReadonlySet<string>> {
  const lead = repository.prefix === '' ? '' : `${repository.prefix}/`;
  const paths = await trackedPaths(git, repository);
  return new Set(paths.filter((path) => path.startsWith(lead)).map((path) => path.slice(lead.length)));
}

/** Git is asked where its index is of a form that we do not read. */
async function trackedPaths(git: Git, repository: UserRepository): Promise<readonly string[]> {
  const index = repository.objectFormat === 'sha1' ? await readIndexFile(indexPath(repository)) : null;
  if (index?.ok === true) return index.value.entries.map(({ path }) => path);
  const listed = await git.run({ gitDir: repository.gitDir, args: ['ls-files', '-z'] });
  return listed.ok ? fieldsOf(listed.value).map(decodeName) : [];
}

/** The name that agents show. The root of a disk has none. */
function folderName(place: string): string {
  const name = basename(place);
  return name === '' || name.startsWith('.') || name === SCRATCH ? 'worktree' : name;
}

function refusalOfGit(error: GitError): WorktreeRefusal {
  return outOfSpace(error) ? { code: 'no-space' } : { code: 'not-made', why: gitWords(error) };
}
