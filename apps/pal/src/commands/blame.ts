import { createHash, randomUUID } from 'node:crypto';
import { agentTrace, formatGitAiLog, hasGitAiName, stretchesOf } from '@palimpsest/core';
import type { AnswerOf } from '@palimpsest/protocol';
import { VERSION } from '@palimpsest/protocol/light';
import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { blameText } from '../print/blame.js';
import { harmlessJson, harmlessLines } from '../print/harmless.js';

const FORMATS = ['agent-trace', 'git-ai'] as const;
type Format = (typeof FORMATS)[number];

export const command: CommandFile = {
  summary: 'show who wrote each line of a file',
  section: 'Look',
  details: `Which session, agent, tool call and prompt, or which human edit, each line comes from.
With --format it is told as others tell it: a trace record of Agent Trace 0.1, or an authorship log of the Git AI Standard
3.0.0, in which lines that nobody is named for are left out.`,
  examples: [
    { line: 'pal blame src/app.ts', does: 'who wrote each line' },
    { line: 'pal blame src/app.ts --json', does: 'with the call and the prompt behind each' },
    { line: 'pal blame src/app.ts --format agent-trace', does: 'for programs that read Agent Trace' },
  ],
  define: (self, act) =>
    self
      .argument('<path>', 'a file of the workspace')
      .addOption(new Option('--format <format>', 'tell it in the format of others').choices(FORMATS))
      .action(
        act(async (face, path: string, { format }: { readonly format?: Format }) => {
          const client = await clientOf(face);
          const answer = said(await client.blame({ query: { path: face.resolve(path) } }));
          const { lines } = answer;
          if (format === undefined)
            return {
              json: { lines },
              pages: true,
              text: (style) => (lines.length === 0 ? 'the file is empty' : blameText(lines, style)),
            };
          return inFormat(format, answer);
        }),
      ),
};

function inFormat(format: Format, { path, lines, head, revision }: AnswerOf<'blame'>) {
  const files = [{ path, stretches: stretchesOf(lines) }];
  switch (format) {
    case 'agent-trace': {
      const facts = { id: randomUUID(), timestamp: new Date().toISOString(), revision };
      const record = agentTrace(files, { ...facts, tool: { name: 'palimpsest', version: VERSION } });
      return { json: record, text: () => harmlessJson(record), verbatim: true as const };
    }
    case 'git-ai': {
      const log = formatGitAiLog(files, { base: head, human: null, sha256 });
      if (log !== null) return { json: { log }, text: () => harmlessLines(log), verbatim: true as const };
      if (!hasGitAiName(path)) throw new Failure('usage', `this format has no way to write the name ${path}`);
      throw new Failure('no-agent-lines', `no agent wrote a line of ${path}`);
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
