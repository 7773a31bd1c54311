import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { blocksOf, commandsInProse, linksOf } from './page.js';
import { program } from './program.js';
import { Reader } from './reader.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Those for people who use it. What is in docs/reference is made of the code: see `reference.test.ts`. */
const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, page: readFileSync(join(root, path), 'utf8') }));

describe.each(PAGES)('$path', ({ path, page }) => {
  const tried = blocksOf(page).filter(({ kind }) => kind !== 'skipped');

  // Some pages have nothing to type.
  if (tried.length > 0)
    test('[DOC1a] from top to bottom it does, and prints, what the page says', async () => {
      const reader = new Reader();
      try {
        await reader.arrive();
        for (const block of tried) {
          const wrong = await reader.follow(block);
          if (wrong !== null) throw new Error(`${path}, line ${block.line}: ${wrong}`);
        }
      } finally {
        reader.leave();
      }
    });

  test('[DOC1c] every command that it names is one, with such options', () => {
    expect(commandsInProse(page).flatMap(wrongIn)).toEqual([]);
  });

  test('[DOC1d] what it links to is there', () => {
    expect(linksOf(page).filter((link) => !leads(path, link))).toEqual([]);
  });
});

test('[DOC1b] few blocks cannot be tried, and each says why', () => {
  const skipped = PAGES.flatMap(({ path, page }) =>
    blocksOf(page).flatMap((block) => (block.kind === 'skipped' ? [`${path}: ${block.why}`] : [])),
  );
  expect(skipped).toMatchInlineSnapshot(`
    [
      "README.md: installs into the machine's own npm prefix; test/package does it in an empty one",
      "docs/install.md: installs into the machine's own npm prefix; test/package does it in an empty one",
      "docs/other-agents.md: needs Codex; test/mcp/real-clients.test.ts runs it with this configuration",
      "docs/other-agents.md: needs Claude Code; test/mcp/real-clients.test.ts runs it with this server",
      "docs/worktrees.md: starts a real agent",
    ]
  `);
});

/** `pal -C DIR reject c1.1 --dry-run`: a command that there is, and of its options only such as it has. */
function wrongIn(line: string): readonly string[] {
  const [words] = line.replace(/^pal( -C \S+)?( help)?/, '').split(' -- ') as [string];
  let command: Command = program;
  const options: string[] = [];
  for (const word of words.trim().split(' ')) {
    const next = command.commands.find((each) => each.name() === word);
    if (next !== undefined && options.length === 0) command = next;
    else if (/^--?\w/.test(word)) options.push(word);
    else if (command === program && /^[a-z]/.test(word)) return [`${line}: there is no ${word}`];
  }
  const known = [...program.options, ...command.options].flatMap(({ short, long }) => [short, long]);
  return options.filter((option) => !known.includes(option)).map((option) => `${line}: it has no ${option}`);
}

function leads(from: string, link: string): boolean {
  const [file, heading] = link.split('#') as [string, string?];
  const target = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(root, target))) return false;
  if (heading === undefined) return true;
  const headings = readFileSync(join(root, target), 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].some(([, title]) => anchorOf(title!) === heading);
}

/** As GitHub makes it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
