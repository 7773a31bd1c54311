import { Option } from 'commander';
import { isAgentName } from '../agents/agents.js';
import { WORKTREE_CREATE } from '../agents/claude.js';
import { SILENCE, UNCHECKED } from '../agents/hook-event.js';
import type { CommandFile } from '../cli/command.js';
import { WORKTREE_MODES, type WorktreeMode } from '../cli/worktree-modes.js';
import { EXIT, Failure } from '../face/failure.js';
import { claudeWorktree } from '../hook/claude-worktree.js';
import { untilOf } from '../hook/deadlines.js';
import { startAndAsk } from '../hook/start-and-ask.js';

type Options = { readonly strict?: true; readonly worktree?: WorktreeMode };

export const command: CommandFile = {
  summary: 'what an agent runs as its hook; `pal init` wires it',
  section: 'Agents',
  details: `Reads the agent's own payload from standard input and answers in that agent's own way. It never fails an agent:
whatever goes wrong, the exit code is 0, but for a worktree that cannot be made. A call is denied as that agent takes it: by the exit code 2 with the reason on
standard error, or by JSON on standard output.`,
  examples: [{ line: 'pal hook claude PreToolUse', does: 'with what Claude Code gives its hooks on standard input' }],
  define: (self, act) =>
    self
      .argument('[agent]', 'claude, codex, gemini, opencode or cline')
      .argument('[event]', 'as that agent calls it')
      .addOption(
        new Option('--worktree <mode>', "make the worktree that Claude Code's WorktreeCreate asks for").choices(
          WORKTREE_MODES,
        ),
      )
      .option('--strict', 'fail when the daemon cannot be asked, for an agent that then keeps the call back')
      .action(
        act(async (face, agent: string | undefined, event: string | undefined, options: Options) => {
          // Not the code for wrong usage: to agents that one means that the call is denied.
          if (agent === undefined || event === undefined || !isAgentName(agent)) throw unknown(agent);
          if (agent === 'claude' && event === WORKTREE_CREATE) {
            const path = await claudeWorktree(face, options.worktree ?? 'review');
            return { json: { path }, text: () => `${path}\n`, verbatim: true };
          }
          const { data, surroundings } = face;
          const output = await startAndAsk({
            agent,
            event,
            stdin: await inputOf(face.input),
            data,
            environment: surroundings.environment,
            cwd: face.directory,
            until: untilOf(agent, surroundings.environment, performance.timeOrigin),
            otherwise: options.strict === true ? UNCHECKED : SILENCE,
          });
          const denied = output.exit !== EXIT.done;
          return {
            json: output,
            text: () => (denied ? output.stderr : output.stdout),
            on: denied ? 'err' : 'out',
            exit: output.exit,
            verbatim: true,
          };
        }),
      ),
};

/** A payload that cannot be read is a hook without one. */
async function inputOf(read: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await read());
  } catch {
    return ''; // The daemon says what it misses, and the hook notes that.
  }
}

function unknown(agent: string | undefined): Failure {
  return new Failure(
    'unknown-agent',
    agent === undefined ? 'a hook must name its agent and the event' : `${agent} is no agent that is known here`,
    '`pal hook --help` shows how it is used; `pal init` writes it where it belongs',
  );
}
