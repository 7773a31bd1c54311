import { Argument } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { buildProgram } from '../cli/program.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { wordsOfCommand } from '../completion/words.js';
import { zshScript } from '../completion/zsh.js';
import { paintFor } from '../print/paint.js';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const command: CommandFile = {
  summary: 'print the completion script of a shell',
  section: 'More',
  examples: [
    { line: 'source <(pal completion bash)', does: 'complete pal in this bash' },
    { line: 'pal completion zsh > ~/.zfunc/_pal', does: 'complete pal in every zsh' },
    { line: 'pal completion fish > ~/.config/fish/completions/pal.fish', does: 'complete pal in fish' },
  ],
  define: (self, act) =>
    self.addArgument(new Argument('<shell>', 'the shell that is to read it').choices(Object.keys(SHELLS))).action(
      act(async (_, shell: keyof typeof SHELLS) => {
        const paint = paintFor({ isTerminal: false, environment: {} });
        const program = await buildProgram([], { version: '', act, paint, help: () => undefined });
        const script = SHELLS[shell](wordsOfCommand(program));
        return { json: { shell, script }, text: () => script, verbatim: true };
      }),
    ),
};
