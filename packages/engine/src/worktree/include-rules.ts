import { judgeByRules, type RuleChain, rulesOfFile, rulesOfText } from '../tree/ignore-rules.js';

/** Files that are ignored and come along all the same, written like a `.gitignore`. */
const INCLUDE_FILE = '.worktreeinclude';

/** Where agents keep what they are told in one workspace, their hooks above all; many ignore some of it. */
const AGENT_FOLDERS = ['.claude', '.codex', '.gemini', '.qwen', '.opencode', '.cline', '.clinerules'];
const AGENT_RULES = rulesOfText(`${AGENT_FOLDERS.map((folder) => `/${folder}/*`).join('\n')}\n!/.claude/worktrees/\n`);

/**
 * Which ignored files come into a worktree: those that the workspace names, and the agents' own configuration, without
 * which an agent would work there unguarded. What the workspace says comes first.
 */
export class IncludeRules {
  readonly #rules: RuleChain | null;
  readonly #names: boolean;

  private constructor(rules: RuleChain | null) {
    this.#rules = rules;
    this.#names = rules !== AGENT_RULES;
  }

  static of(root: string): IncludeRules {
    return new IncludeRules(rulesOfFile(root, INCLUDE_FILE, AGENT_RULES));
  }

  /** `path` ends in `/` for a folder. */
  names(path: string): boolean {
    return judgeByRules(this.#rules, path) === 'ignored';
  }

  /** Whether something in an ignored folder may be named. */
  mayNameIn(folder: string): boolean {
    return this.#names || AGENT_FOLDERS.includes(folder);
  }
}
