import { expect, test } from 'vitest';
import { sessionReport } from './session-report.js';

const AT = '2026-11-18T00:00:00.000Z';
const SESSION = { id: 's', agent: 'claude', state: 'active', title: '', startedAt: AT, pending: 0 } as const;

function promptAs(text: string): string {
  const report = sessionReport({ session: SESSION, prompts: [{ turn: 't', text, at: AT }], changes: [] });
  return report.match(/^> .*$/gm)!.join('\n');
}

test.each([
  ['&lt;b&gt; &#64;ann', '> \\&lt;b\\&gt; \\&\\#\u200b64;ann'],
  ['fixes #12 and o/r#3', '> fixes \\#\u200b12 and o/r\\#\u200b3'],
  ['closes GH-12, not high-1', '> closes GH-\u200b12, not high-1'],
  ['A heading\n===', '> A heading\n> \\==='],
  ['A heading\n---', '> A heading\n> \\---'],
  ['- no item\n+ nor this\na - b = c', '> \\- no item\n> \\+ nor this\n> a - b = c'],
  ['by @ann', '> by @\u200bann'],
])('[ATT7] %j in a prompt stays text', (text, shown) => expect(promptAs(text)).toBe(shown));
