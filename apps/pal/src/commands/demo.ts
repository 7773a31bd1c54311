import { spawnSync } from 'node:child_process';
import type { CommandFile } from '../cli/command.js';
import { play } from '../demo/play.js';
import { Failure } from '../face/failure.js';
import { AT_ONCE, FOR_READING, Narrator } from '../print/narrator.js';
import { output } from '../print/output.js';
import { styleOf } from '../print/style.js';

export const command: CommandFile = {
  summary: 'see everything work in a throw-away workspace',
  section: 'More',
  details:
    'A scripted agent and a scripted human act; every command is the real one. Nothing of yours is touched, and nothing is left.',
  examples: [
    { line: 'pal demo', does: 'at a pace for reading' },
    { line: 'pal demo --fast', does: 'all at once' },
  ],
  define: (self, act) =>
    self.option('--fast', 'do not pause for reading').action(
      act(async (face, { fast }: { fast?: true }) => {
        const { environment } = face.surroundings;
        if (spawnSync('git', ['--version'], { env: environment }).error !== undefined) throw noGit();
        const style = styleOf(process.stdout, environment);
        const paced = process.stdout.isTTY === true && fast !== true;
        const narrator = face.format === 'json' ? null : new Narrator(output, style, paced ? FOR_READING : AT_ONCE);
        await narrator?.open('Palimpsest: the truth about a workspace', OPENING);
        const played = await play({
          environment,
          narrator,
          columns: style.width === null || narrator === null ? null : narrator.columns - MARGIN,
        });
        return {
          json: played,
          text: ({ paint }) =>
            CLOSING.map((line) => `  ${line}`)
              .concat(
                `  ${paint.quiet(`(${(played.tookMs / 1000).toFixed(1)} s, the demo's workspace and daemon are gone again)`)}`,
                '',
              )
              .join('\n'),
        };
      }),
    ),
};

function noGit(): Failure {
  return new Failure(
    'git-missing',
    'git cannot be run, and the demo needs it, as does everything else',
    'install git 2.30 or newer, then try again',
  );
}

/** What the narrator puts in front of each line that a command printed. */
const MARGIN = 4;
const OPENING = [
  'A page that was written over, while the older writing stays readable under the new. It stands beside any coding agent, and sees to it that nothing is stale, nothing hidden, and nothing lost.',
];
const CLOSING = [
  '',
  'In a project of your own:',
  '  pal status              how it stands',
  '  pal run -- COMMAND      record what any command does',
  '  pal help                everything else',
  '',
];
