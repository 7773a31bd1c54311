import type { Agent } from '../../apps/pal/src/agents/agent.js';
import type { Driver } from '../agents/driver.fixture.js';

/** What came of the tests with the real programs: by agent the package that was run, and by story whether it passed. */
export type AgentResults = Readonly<Record<string, { readonly program: string; readonly stories: Stories }>>;
/** `FOLDER: name of the test`, such as `agents: [FRE8b] a file …`. */
export type Stories = Readonly<Record<string, 'passed' | 'failed'>>;

/** What a reader wants to know, and the stories that tell; where several begin so, all of them. */
const ROWS: readonly { readonly what: string; readonly story: string; readonly only?: (driver: Driver) => boolean }[] =
  [
    { what: 'What it reads, edits and runs is recorded, each once', story: 'agents: [AGT1b] each change' },
    { what: 'A stale edit is refused, and nothing of yours is lost', story: 'agents: [FRE4a] no outside change' },
    { what: 'Refused, it reads again and edits what is there', story: 'agents: [FRE4a] denied, it reads again' },
    { what: 'It hears of changes behind its back', story: 'agents: [FRE5a] a change behind its back' },
    { what: 'What it did is taken back around your edits', story: 'agents: [REV3a]' },
    { what: 'What a command writes later is not taken for yours', story: 'agents: [CAP4e]' },
    { what: 'Its very first call in a large folder is taken back, or it is said what not', story: 'agents: [CAP15a]' },
    { what: 'It goes on, and is recorded, when the daemon is killed', story: 'agents: [AGT3b] the daemon is killed' },
    { what: 'A refusal is no failure of a hook, a prompt is kept as written', story: 'agents: [AGT1f]' },
    { what: 'Its session ends when it exits', story: 'agents: [AGT1f]', only: (driver) => driver.saysGoodbye },
    { what: 'Resumed, it hears what changed meanwhile', story: 'agents: [FRE5a] with the prompt' },
    { what: 'A file mentioned with `@` counts as read', story: 'agents: [FRE8b]' },
    { what: 'After compaction nothing counts as in front of it', story: 'agents: [FRE3b]' },
    { what: 'A patch of several files is one change for each', story: 'agents: [AGT1b] a patch' },
    { what: 'Subagents are told apart', story: 'agents: [AGT1b] a subagent' },
    { what: 'What was said is joined with its calls and with lines', story: 'agents: [TRA3b]' },
    { what: 'Its conversation goes back with the files, by a fork', story: 'agents: [TRA4a]' },
    { what: 'The same in the middle of a turn', story: 'agents: [TRA4c]' },
    { what: 'Strict: an edit that cannot be checked does not run', story: 'agents: [AGT3c]' },
    { what: 'In a worktree of its own it is recorded, and its work flows back', story: 'agents: [SYN7b]' },
    { what: 'It works with our MCP tools', story: 'mcp: ' },
    { what: 'In an editor, through `pal acp`, it is recorded', story: 'acp: [AGT4b]' },
    { what: 'In an editor, through `pal acp`, it is guarded', story: 'acp: [AGT4c]' },
  ];

export function supportTable(
  results: AgentResults,
  drivers: readonly Driver[],
  titles: Readonly<Record<string, Agent>>,
): string {
  const heads = drivers.map(({ agent }) => titles[agent]!.title);
  const versions = drivers.map(({ agent }) => versionOf(results[agent]!.program));
  const rows = ROWS.map(({ what, story, only }) => {
    const marks = drivers.map((driver) =>
      only?.(driver) === false ? '–' : mark(results[driver.agent]!.stories, story),
    );
    if (marks.every((each) => each === '–')) throw new Error(`no test is called ${story}`);
    return row([what, ...marks]);
  });
  return [row(['', ...heads]), `|---|${':-:|'.repeat(heads.length)}`, row(['version', ...versions]), ...rows].join(
    '\n',
  );
}

export function waitsTable(agents: readonly Agent[]): string {
  const seconds = (ms: number) => `${ms / 1000} s`;
  const rows = agents.map(({ title, waits }) =>
    row([title, seconds(waits.deadlineMs), waits.limitMs === null ? 'never' : seconds(waits.limitMs)]),
  );
  return [row(['agent', 'we give up after', 'it would give up after']), '|---|---|---|', ...rows].join('\n');
}

/** The page with its tables made anew. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replace(
    /(<!-- made: (\w+) -->\n)[\s\S]*?(<!-- \/made -->)/g,
    (_, open: string, name: string, close: string) => {
      const table = tables[name];
      if (table === undefined) throw new Error(`nobody makes a table called ${name}`);
      return `${open}\n${table}\n\n${close}`;
    },
  );
}

function mark(stories: Stories, beginning: string): string {
  const all = Object.entries(stories).filter(([name]) => name.startsWith(beginning));
  if (all.length === 0) return '–';
  return all.every(([, result]) => result === 'passed') ? '✓' : '✗';
}

/** `@openai/codex@0.166.0-linux-x64`: people know the number. */
function versionOf(spec: string): string {
  return /@(\d[\w.]*)[^@]*$/.exec(spec)![1]!;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
