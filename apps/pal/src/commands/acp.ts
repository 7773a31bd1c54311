import type { CommandFile } from '../cli/command.js';
import { Failure } from '../face/failure.js';

export const command: CommandFile = {
  summary: 'stand between an editor and an agent that speak the Agent Client Protocol',
  section: 'Agents',
  details: `For editors that start agents themselves, such as Zed and those of JetBrains: name this in the place of the agent. Every
message passes as it is. Tool calls and prompts are recorded; an edit that rests on a stale file is refused where the agent
asks for permission, or where it writes through the editor. Agents whose hooks run there as well are recorded once.
Gemini CLI runs no tool hooks under the protocol, so that this is the way to guard it. If the daemon cannot be reached,
everything passes.`,
  examples: [
    { line: 'pal acp -- gemini --acp', does: 'Gemini CLI, guarded' },
    { line: 'pal acp -- opencode acp', does: 'opencode, recorded with what it does not tell its plugins' },
  ],
  define: (self, act) =>
    self
      .usage('-- AGENT [ARGS...]')
      .argument('<agent...>', 'the agent and its arguments, after --')
      .action(
        act(async ({ data, directory, surroundings: { environment } }, words: readonly string[]) => {
          const { runProxy } = await import('../acp/proxy.js');
          const editor = { input: process.stdin, output: process.stdout };
          const { exitCode, fault } = await runProxy({ words, directory, data, environment, editor });
          if (fault !== null) throw notStarted(words[0]!, fault);
          return { json: { exitCode }, text: () => '', exit: exitCode, on: 'err' };
        }),
      ),
};

function notStarted(program: string, why: string): Failure {
  return new Failure(
    'not-started',
    `${program} could not be started (${why})`,
    'name the agent as it is started without us, after --',
  );
}
