import { expect, test } from 'vitest';
import { claudeProject } from './claude-project.js';

test.each([
  ['where it is now, when nothing says where it began', { cwd: '/a/b' }, '/a/b'],
  [
    'where it began, when it has gone deeper',
    { cwd: '/a.x/b/c', transcript_path: '/h/.claude/projects/-a-x/s.jsonl' },
    '/a.x',
  ],
  ['where it is, when it began elsewhere', { cwd: '/a/b', transcript_path: '/h/.claude/projects/-z/s.jsonl' }, '/a/b'],
  ['nowhere, when it does not say', { transcript_path: '/h/.claude/projects/-z/s.jsonl' }, undefined],
])('[AGT1b] Claude Code works %s', (_, payload, expected) => {
  expect(claudeProject(payload)).toBe(expected);
});
