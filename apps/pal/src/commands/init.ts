import { Option } from 'commander';
import { AGENT_NAMES, type AgentName } from '../agents/agents.js';
import type { Worktrees } from '../agents/target.js';
import type { CommandFile } from '../cli/command.js';
import { WORKTREE_MODES } from '../cli/worktree-modes.js';
import type { Face } from '../face/face.js';
import { EXIT, Failure } from '../face/failure.js';
import { type HookAddress, keptHookAddress, makeHookAddress } from '../link/hook-address.js';
import { initJson, initText } from '../print/init.js';
import { findRoot } from '../surroundings/find-root.js';
import { findAgents } from '../wiring/found.js';
import { proxyInTheWay } from '../wiring/proxy.js';
import type { WireOptions } from '../wiring/targets.js';
import { dropAddress, isObstructed, type Manner, unwire, type Wired, wire } from '../wiring/wiring.js';

type Options = {
  readonly agent?: readonly AgentName[];
  readonly remove?: true;
  readonly dryRun?: true;
  readonly shared?: true;
  readonly strict?: true;
  readonly http?: true;
  readonly worktree?: Worktrees;
};

export const command: CommandFile = {
  summary: 'wire up the agents that are used here',
  section: 'Agents',
  details: `Writes our hooks, or our plugin, into the configuration of each agent, beside what is there. It goes into your own configuration, so nothing in the workspace changes, unless --shared is given.
Doing it again changes nothing; --remove puts every file back as it was.

With --http Claude Code asks about its tools at a fixed port of this machine, which is quicker than running a program. The
port and a token for it stand in its settings then. A daemon that is gone comes back only at the end of the turn, and
whoever takes its port meanwhile decides what Claude Code runs: not for a machine that you share.

With --worktree Claude Code gets its worktrees from us (\`claude --worktree\`, subagents with one of their own): made of what
the workspace holds now, and what is changed in them comes back at once (auto) or when it is accepted (review).`,
  examples: [
    { line: 'pal init', does: 'wire up the agents found on this machine and in this workspace' },
    { line: 'pal init --dry-run', does: 'show what would be written' },
    {
      line: 'pal init --agent claude --strict',
      does: 'Claude Code, which then keeps an edit back when we cannot be asked',
    },
    {
      line: 'pal init --agent claude --http',
      does: 'Claude Code, which then asks about its tools at a port of this machine',
    },
    {
      line: 'pal init --agent claude --worktree review',
      does: 'Claude Code, whose worktrees then flow both ways',
    },
    { line: 'pal init --remove', does: 'take all of it away again' },
  ],
  define: (self, act) =>
    self
      .addOption(new Option('--agent <name...>', 'only these agents, found or not').choices(AGENT_NAMES))
      .option('--remove', 'take away what was written')
      .option('--dry-run', 'show it and write nothing')
      .option('--shared', "write it into the workspace's files, for everybody who works in it")
      .option('--strict', 'Claude Code: an edit that cannot be checked does not run')
      .addOption(
        new Option('--http', 'Claude Code: ask the daemon without running a program, which is quicker').conflicts(
          'shared',
        ),
      )
      .addOption(
        new Option('--worktree <mode>', 'Claude Code: its worktrees are made by us; auto or review')
          .choices(WORKTREE_MODES)
          .conflicts('shared'),
      )
      .action(
        act(async (face, options: Options) => {
          const manner = options.dryRun === true ? 'pretend' : 'do';
          const remove = options.remove === true;
          const agents = chosen(face, options);
          const wiring = wireOptions(face, options);
          const done =
            options.http === true && !remove
              ? await wireOverHttp(agents, wiring, manner)
              : (remove ? unwire : wire)(agents, wiring, manner);
          if (manner === 'do') dropAddress(face.data, done);
          const facts = { done, manner, direction: remove ? 'remove' : 'wire' } as const;
          return {
            json: initJson(facts),
            text: (style) => initText(facts, style),
            exit: done.some(isObstructed) ? EXIT.failed : EXIT.done,
          };
        }),
      ),
};

/** Removing looks at every agent: one that is gone from the machine may have left its files. */
function chosen(face: Face, { agent, remove }: Options): readonly AgentName[] {
  if (agent !== undefined) return AGENT_NAMES.filter((name) => agent.includes(name));
  if (remove === true) return AGENT_NAMES;
  const found = findAgents(face.surroundings, rootOf(face)).map(({ agent: name }) => name);
  if (found.length > 0) return found;
  throw new Failure(
    'no-agent',
    'none of the agents that can be wired up was found on this machine or in this workspace',
    `\`pal init --agent NAME\` wires one up all the same; the names are ${AGENT_NAMES.join(', ')}`,
  );
}

/** The address is made only for hooks that will be written. */
async function wireOverHttp(
  agents: readonly AgentName[],
  options: WireOptions,
  manner: Manner,
): Promise<readonly Wired[]> {
  const proxy = proxyInTheWay(options.surroundings.environment);
  if (proxy !== null)
    throw new Failure(
      'proxy-in-the-way',
      `${proxy} names a proxy, and what Claude Code asks on this machine would go there`,
      'add 127.0.0.1 to NO_PROXY wherever Claude Code is started, or leave out --http',
    );
  const planned = wire(agents, { ...options, address: keptHookAddress(options.data) ?? ADDRESS_TO_BE }, 'pretend');
  if (manner === 'pretend') return planned;
  const isWanted = planned.some((wired) => wired.agent === 'claude' && !isObstructed(wired));
  return wire(agents, { ...options, address: isWanted ? await makeHookAddress(options.data) : ADDRESS_TO_BE }, 'do');
}

/** Shown where it is not made. */
const ADDRESS_TO_BE: HookAddress = { port: 0, token: 'made-when-it-is-written' };

function wireOptions(face: Face, { shared, strict, worktree }: Options): WireOptions {
  return {
    surroundings: face.surroundings,
    data: face.data,
    workspace: rootOf(face),
    scope: shared === true ? 'shared' : 'user',
    strictness: strict === true ? 'strict' : 'lenient',
    address: null,
    worktrees: worktree,
  };
}

function rootOf({ directory, surroundings }: Face): string {
  const isTooWide = (folder: string) => folder === surroundings.home;
  return findRoot(directory, { isKnown: () => false, isTooWide }) ?? directory;
}
