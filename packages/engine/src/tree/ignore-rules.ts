import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { RULE_FILE_BYTES_LIMIT } from './limits.js';
import { lstatAt } from './stat.js';

/**
 * The ignore rules that hold in one folder: its own file first, then those of the folders above, then the exclude file
 * of its repository. The user's global excludes are left out on purpose: what is covered must not depend on who looks.
 */
export type RuleChain = {
  readonly matcher: Ignore;
  /** Length of the part of a workspace path that is above the rules' own folder. */
  readonly cut: number;
  /** For rules that live above the workspace: the way from their folder down to it. */
  readonly lead: string;
  /** The file, as seen from its folder, if some of its rules are passed over. */
  readonly cutShort: string | null;
  readonly next: RuleChain | null;
};

/** What in a folder can bring rules: a repository begins there (`.git`), or it may have a `.gitignore`. */
export type RuleSources = { readonly repository: boolean; readonly ignoreFile: boolean };

/** `kept` means that a rule says so in as many words; `none` that no rule speaks of it. */
type RuleAnswer = 'ignored' | 'kept' | 'none';

/**
 * Asks about one entry of a folder that is itself not ignored. `path` ends in `/` for a folder, because rules may be
 * meant for folders only.
 */
export function judgeByRules(chain: RuleChain | null, path: string): RuleAnswer {
  for (let rules = chain; rules !== null; rules = rules.next) {
    const result = rules.matcher.test(rules.lead + path.slice(rules.cut));
    if (result.ignored) return 'ignored';
    if (result.unignored) return 'kept';
  }
  return 'none';
}

/** The rules for the entries of `folder` (`''` for the root), given those that hold above it. */
export function rulesInside(
  root: string,
  folder: string,
  above: RuleChain | null,
  holds: RuleSources,
): RuleChain | null {
  const place = folder === '' ? root : join(root, folder);
  const cut = folder === '' ? 0 : folder.length + 1;
  let chain = above;
  // Git does not look across the border of a repository, so neither do the rules.
  if (holds.repository) chain = link(excludeOf(place), cut, '', null);
  if (holds.ignoreFile) chain = link(ignoreFileOf(place), cut, '', chain);
  return chain;
}

/** The rules of one file that stands in the root and is written like a `.gitignore`, before those of `next`. */
export function rulesOfFile(root: string, name: string, next: RuleChain | null = null): RuleChain | null {
  return link({ name, held: readRuleFile(join(root, name)) }, 0, '', next);
}

/** Rules of our own, written like a `.gitignore`. */
export function rulesOfText(text: string): RuleChain | null {
  return link({ name: '', held: { text } }, 0, '', null);
}

/** The files that bring rules in this folder, and of which some are passed over. */
export function cutShortIn(rules: RuleChain | null, above: RuleChain | null): readonly string[] {
  const files: string[] = [];
  for (let own = rules; own !== null && own !== above; own = own.next)
    if (own.cutShort !== null) files.push(own.cutShort);
  return files;
}

/**
 * Rules from above the workspace, when it is a folder inside a repository. They do not count when they would ignore the
 * workspace as a whole: who opens an ignored folder means it.
 */
export function rulesAbove(root: string): RuleChain | null {
  if (holdsRepository(root)) return null;
  const top = enclosingRepository(root);
  if (top === null) return null;
  const steps = relative(top, root).split(sep);
  let chain: RuleChain | null = null;
  for (let depth = 0; depth < steps.length; depth++) {
    const place = join(top, ...steps.slice(0, depth));
    const lead = `${steps.slice(depth).join('/')}/`;
    if (depth === 0) chain = link(excludeOf(place), 0, lead, null);
    chain = link(ignoreFileOf(place), 0, lead, chain);
  }
  return judgeByRules(chain, '') === 'ignored' ? null : chain;
}

/**
 * After a deeper rule took a folder back in that a higher one ignores, the higher rules must forget about the folder
 * while they still speak about what is in it.
 */
export function takenBackIn(chain: RuleChain | null, folder: string): RuleChain | null {
  if (chain === null) return null;
  const next = takenBackIn(chain.next, folder);
  const asked = `${chain.lead}${folder.slice(chain.cut)}/`;
  if (!chain.matcher.test(asked).ignored) return next === chain.next ? chain : { ...chain, next };
  const literal = asked.replace(/[\\*?[\]]/g, '\\$&');
  return { ...chain, matcher: newMatcher().add(chain.matcher).add(`!/${literal}`), next };
}

export function holdsRepository(place: string): boolean {
  return typeof lstatAt(join(place, '.git')) !== 'string';
}

function enclosingRepository(root: string): string | null {
  for (let place = dirname(root); ; place = dirname(place)) {
    if (holdsRepository(place)) return place;
    if (place === dirname(place)) return null;
  }
}

type RuleFile = { readonly name: string; readonly held: Held };
type Held = { readonly text: string } | 'too-large' | null;

function excludeOf(place: string): RuleFile {
  const gitDir = gitDirOf(place);
  return { name: '.git/info/exclude', held: gitDir === null ? null : readRuleFile(join(gitDir, 'info', 'exclude')) };
}

function ignoreFileOf(place: string): RuleFile {
  return { name: '.gitignore', held: readRuleFile(join(place, '.gitignore')) };
}

/** Where a repository keeps what its worktrees share; a submodule's or linked worktree's `.git` is a file that says. */
function gitDirOf(place: string): string | null {
  const entry = join(place, '.git');
  const stats = lstatAt(entry);
  if (typeof stats !== 'string' && stats.isDirectory()) return entry;
  const pointer = /^gitdir: (.+)$/m.exec(readRuleText(entry) ?? '')?.[1];
  if (pointer === undefined) return null;
  const gitDir = resolve(place, pointer.trimEnd());
  const common = readRuleText(join(gitDir, 'commondir'));
  return common === null ? gitDir : resolve(gitDir, common.trimEnd());
}

/** A line that is neither blank nor a comment; the exclude file that git makes has none. */
const RULE = /^[^\S\n]*[^\s#]/m;

function link({ name, held }: RuleFile, cut: number, lead: string, next: RuleChain | null): RuleChain | null {
  if (held === 'too-large') return { matcher: newMatcher(), cut, lead, cutShort: name, next };
  if (held === null || !RULE.test(held.text)) return next;
  const { rules, passedOver } = tamed(held.text.replace(/^\uFEFF/, ''));
  return { matcher: newMatcher().add(rules), cut, lead, cutShort: passedOver > 0 ? name : null, next };
}

/**
 * Each `**` in the middle of a rule multiplies the time that matching takes by the depth of the path, and both are the
 * repository's to choose. Nobody needs many, so a rule with more is passed over: what it names is covered.
 */
const DOUBLE_STARS_LIMIT = 2;

/** Every name in the tree is held against every rule. Those of a file beyond this many are passed over. */
const RULES_LIMIT = 2_000;

function tamed(text: string): { readonly rules: string; readonly passedOver: number } {
  const lines = text.split('\n');
  if (lines.length <= RULES_LIMIT && !text.includes('**/')) return { rules: text, passedOver: 0 };
  const all = lines.filter((line) => RULE.test(line));
  const rules = all.filter((line) => line.split('**/').length - 1 <= DOUBLE_STARS_LIMIT).slice(0, RULES_LIMIT);
  return { rules: rules.join('\n'), passedOver: all.length - rules.length };
}

function newMatcher(): Ignore {
  return ignore({ ignorecase: false, allowRelativePaths: true });
}

/** A file of git's that says where another is. */
function readRuleText(file: string): string | null {
  const held = readRuleFile(file);
  return held === null || held === 'too-large' ? null : held.text;
}

/**
 * Text of a small regular file, or null. A rule file may be anything in a hostile workspace: a pipe must not hang us
 * and a link must not make us read elsewhere.
 */
function readRuleFile(file: string): Held {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) return null;
    return stat.size <= RULE_FILE_BYTES_LIMIT ? { text: readFileSync(handle, 'utf8') } : 'too-large';
  } catch {
    return null;
  } finally {
    closeSync(handle);
  }
}
