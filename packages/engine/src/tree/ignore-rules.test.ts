import { mkdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Coverage } from './coverage.js';
import { coverageRules } from './coverage-rules.js';
import { gitWith, newFolder, put } from './folder.fixture.js';

const name = fc.constantFrom('a', 'b', 'ab', 'x.log', 'y.txt', 'build', '[z]', 'é', 'a b');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
// Without `?`: git matches it against one byte and the library against one character, which differ beyond ASCII.
const pattern = fc.oneof(
  name,
  path,
  fc.constantFrom('*', '*.log', '**/a', 'a/**', 'a/*/b', '/a', 'b/', '/build/', '[ab]', '\\[z\\]', '*/*', '# no', ''),
);
const line = fc.tuple(fc.constantFrom('', '', '!'), pattern).map(([not, text]) => (text === '' ? '' : not + text));
const ruleFile = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));

/** The seed is printed by fast-check when this fails. */
test('[CAP12a] the rules say what git check-ignore says', () => {
  const world = fc.record({
    root: ruleFile,
    exclude: ruleFile,
    nested: fc.dictionary(path, ruleFile, { maxKeys: 2, noNullPrototype: true }),
    paths: fc.uniqueArray(path, { minLength: 1, maxLength: 6 }),
  });
  fc.assert(
    fc.property(world, ({ root: rootRules, exclude, nested, paths }) => {
      const root = newFolder();
      gitWith('', root, 'init', '-q');
      put(root, { '.gitignore': rootRules, '.git/info/exclude': exclude });
      for (const [folder, rules] of Object.entries(nested)) put(root, { [`${folder}/.gitignore`]: rules });
      // Folders only, so that every asked path can exist as a file or not at all.
      for (const asked of paths) mkdirSync(`${root}/${asked.split('/').slice(0, -1).join('/')}`, { recursive: true });
      const files = paths.map((asked) => `${asked}/file`);
      expect(ignoredByUs(root, files)).toEqual(ignoredByGit(root, files));
    }),
    { numRuns: 50 },
  );
});

function ignoredByUs(root: string, files: readonly string[]): string[] {
  const coverage = new Coverage(coverageRules(root, { buildFolders: [], dependencyFolders: [] }));
  return files.filter((file) => {
    const verdict = coverage.file(file, 1);
    return !verdict.covered || verdict.ignored;
  });
}

function ignoredByGit(root: string, files: readonly string[]): string[] {
  const output = gitWith(
    files.join('\0'),
    root,
    'check-ignore',
    '--no-index',
    '-z',
    '--stdin',
    '--verbose',
    '--non-matching',
  );
  const fields = output.split('\0');
  const ignored: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, , rule, file] = fields.slice(at, at + 4);
    if (source !== '' && !rule?.startsWith('!')) ignored.push(file ?? '');
  }
  return ignored;
}
