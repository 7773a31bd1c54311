import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { program } from './program.js';
import { commandsPage, errorsPage, httpPage, libraryPage, mcpPage, settingsPage } from './reference.js';

test('[INT3a] no line of any help is wider than 80 columns', () => {
  const lines = commandsPage(program).split('\n');
  expect(lines.filter((line) => line.length > 80 && !line.startsWith('  echo '))).toEqual([]);
});

/** `npm run docs` writes them anew. */
test.each([
  ['commands', () => commandsPage(program)],
  ['settings', settingsPage],
  ['http', httpPage],
  ['mcp', mcpPage],
  ['library', libraryPage],
  ['errors', errorsPage],
] as const)('[DOC2a] docs/reference/%s.md is what the code says', async (name, make) => {
  const text = make();
  expect(text.split('\n').length).toBeGreaterThan(15);
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL(`../../docs/reference/${name}.md`, import.meta.url)));
});
