import type { CommandFile } from '../cli/command.js';
import { Failure } from '../face/failure.js';

export const command: CommandFile = {
  summary: 'print the JSON Schema of the settings, or of what a command answers',
  section: 'More',
  details: 'Without a name it lists those there are. `error` is what any command answers when it fails.',
  examples: [
    { line: 'pal schema status', does: 'of what `pal status --json` prints' },
    { line: 'pal schema settings', does: 'of settings.json' },
  ],
  define: (self, act) =>
    self.argument('[name...]', 'the words of a command, `settings` or `error`').action(
      act(async (_, words: readonly string[]) => {
        const { SCHEMAS, schemaOf } = await import('../cli/schemas.js');
        const names = Object.keys(SCHEMAS);
        if (words.length === 0) return { json: { names }, text: () => names.join('\n') };
        const schema = schemaOf(words.join(' '));
        if (schema !== null) return { json: schema, text: () => JSON.stringify(schema, null, 2), verbatim: true };
        throw new Failure('usage', `there is no schema of ${words.join(' ')}`, '`pal schema` lists those there are');
      }),
    ),
};
