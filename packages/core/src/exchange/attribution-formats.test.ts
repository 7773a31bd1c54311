import { expect, test } from 'vitest';
import { agentTrace } from './agent-trace.js';
import { assistedBy } from './assisted-by.js';
import { type LineAuthor, stretchesOf } from './attributed.js';
import { formatGitAiLog } from './git-ai.js';

const CLAUDE: LineAuthor = { kind: 'agent', agent: 'claude', session: 's1', callId: 'c1', model: 'claude-opus-4-5' };
const AGAIN: LineAuthor = { ...CLAUDE, callId: 'c2' };
const OTHER: LineAuthor = { kind: 'agent', agent: 'opencode', session: 's 2', callId: 'c1' };
const HUMAN: LineAuthor = { kind: 'human' };
const UNKNOWN: LineAuthor = { kind: 'unknown' };

/** One author per line. */
function file(path: string, ...authors: readonly LineAuthor[]) {
  const lines = authors.map((author, index) => ({ line: index + 1, change: JSON.stringify(author), author }));
  return { path, stretches: stretchesOf(lines) };
}

/** Told apart by eye: the text itself, padded. */
const sha256 = (text: string) => `${text.replace(/[^a-z0-9]/gi, '')}${'0'.repeat(64)}`.slice(0, 64);
const FILE = file('src/a b.ts', CLAUDE, CLAUDE, HUMAN, AGAIN, UNKNOWN, CLAUDE, OTHER);

test('[ATT3a] a note of the Git AI Standard names each agent’s lines by session and call, and who those are', () => {
  const note = formatGitAiLog([FILE, file('b.ts', HUMAN)], { base: 'b'.repeat(40), human: 'Ann <a@b.c>', sha256 })!;
  const [attestation, metadata] = note.split('\n---\n') as [string, string];
  expect(attestation.split('\n')).toEqual([
    '"src/a b.ts"',
    '  s_claudes1000000::t_s1c10000000000 1-2,6',
    '  h_Annabc00000000 3',
    '  s_claudes1000000::t_s1c20000000000 4',
    '  s_opencodes20000::t_s2c10000000000 7',
  ]);
  expect(JSON.parse(metadata)).toEqual({
    schema_version: 'authorship/3.0.0',
    base_commit_sha: 'b'.repeat(40),
    prompts: {},
    sessions: {
      s_claudes1000000: {
        agent_id: { tool: 'claude', id: 's1', model: 'claude-opus-4-5' },
        human_author: 'Ann <a@b.c>',
      },
      s_opencodes20000: { agent_id: { tool: 'opencode', id: 's 2', model: 'unknown' }, human_author: 'Ann <a@b.c>' },
    },
    humans: { h_Annabc00000000: { author: 'Ann <a@b.c>' } },
  });
});

test('[ATT3a] where no agent wrote a line there is no note, and without a commit nobody is named as the human', () => {
  expect(formatGitAiLog([file('b.ts', HUMAN, UNKNOWN)], { base: null, human: 'A <a>', sha256 })).toBe(null);
  const note = formatGitAiLog([file('b.ts', HUMAN, CLAUDE)], { base: null, human: null, sha256 })!;
  expect(note).toContain('\n  s_claudes1000000::t_s1c10000000000 2\n---\n');
  expect(note).not.toContain('human');
});

test('[ATT3a] no name of a file is taken for another line of the note, and one that cannot be written is left out', () => {
  const written = (...paths: readonly string[]) =>
    formatGitAiLog(
      paths.map((path) => file(path, CLAUDE)),
      { base: null, human: null, sha256 },
    );
  const line = '  s_claudes1000000::t_s1c10000000000 1';
  const note = written('---', 'a"b', 'a\n---\n{}', 'a\tb', 'b.ts', '----')!;
  expect(note.split('\n').slice(0, 7)).toEqual(['"---"', line, 'b.ts', line, '----', line, '---']);
  expect(written('a"b', 'a\nb')).toBe(null);
});

test('[ATT3b] a trace record has every field that the schema of Agent Trace asks for, and no other', () => {
  const facts = { id: 'an-id', timestamp: '2026-11-18T00:00:00Z', tool: { name: 'palimpsest', version: '1.2.3' } };
  expect(agentTrace([FILE], { ...facts, revision: 'r' })).toEqual({
    version: expect.stringMatching(/^[0-9]+\.[0-9]+$/),
    ...facts,
    vcs: { type: 'git', revision: 'r' },
    files: [
      {
        path: 'src/a b.ts',
        conversations: [
          {
            contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
            ranges: [
              { start_line: 1, end_line: 2 },
              { start_line: 4, end_line: 4 },
              { start_line: 6, end_line: 6 },
            ],
            related: [{ type: 'session', url: 'urn:palimpsest:session:s1' }],
          },
          { contributor: { type: 'human' }, ranges: [{ start_line: 3, end_line: 3 }] },
          { contributor: { type: 'unknown' }, ranges: [{ start_line: 5, end_line: 5 }] },
          {
            contributor: { type: 'ai' },
            ranges: [{ start_line: 7, end_line: 7 }],
            related: [{ type: 'session', url: 'urn:palimpsest:session:s%202' }],
          },
        ],
      },
    ],
  });
  expect(agentTrace([], { ...facts, revision: null })).not.toHaveProperty('vcs');
});

test('[ATT4] one trailer for each agent and model, the model where it is known, and each on one line', () => {
  const authors = [CLAUDE, HUMAN, AGAIN, OTHER, { ...OTHER, agent: 'my\nagent: x' }];
  expect(assistedBy(authors, { tools: ['sparse', 'clang-tidy'], naming: 'agent' })).toEqual([
    'Assisted-by: claude:claude-opus-4-5 sparse clang-tidy',
    'Assisted-by: opencode sparse clang-tidy',
    'Assisted-by: my-agent--x sparse clang-tidy',
  ]);
  expect(assistedBy(authors, { tools: [], naming: 'llm' })).toEqual(['Assisted-by: LLM']);
  expect(assistedBy([HUMAN, UNKNOWN], { tools: [], naming: 'agent' })).toEqual([]);
});
