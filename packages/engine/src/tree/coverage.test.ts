import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Coverage } from './coverage.js';
import { type CoverageRules, coverageRules } from './coverage-rules.js';
import { covered, git, newFolder, put } from './folder.fixture.js';
import { DEFAULT_TREE_LIMITS, type TreeLimits } from './limits.js';
import { listFolder } from './scan.js';

/** `files` separated by spaces, each with the content `x`; `rules` is the root's .gitignore, or files with theirs. */
function expectCoverage(
  files: string,
  rules: string | Readonly<Record<string, string>>,
  taken: string,
  left = '',
  chosen: Partial<CoverageRules> = {},
): void {
  const root = newFolder();
  put(root, Object.fromEntries(words(files).map((path) => [path, 'x'])));
  const ruleFiles = typeof rules === 'string' ? (rules === '' ? {} : { '.gitignore': rules }) : rules;
  put(root, ruleFiles);
  const found = covered(root, chosen);
  const withoutRules = found.taken.filter((path) => !path.endsWith('.gitignore'));
  expect({ taken: withoutRules, left: found.left }).toEqual({ taken: words(taken).sort(), left: lines(left).sort() });
}

const words = (text: string) => text.split(' ').filter((word) => word !== '');
const lines = (text: string) => text.split(', ').filter((word) => word !== '');
const limits = (chosen: Partial<TreeLimits>): Partial<CoverageRules> => ({
  limits: { ...DEFAULT_TREE_LIMITS, ...chosen },
});

describe('what is never content', () => {
  test('[CAP8b] .git is never covered, as folder or file, at any depth', () =>
    expectCoverage('a .git/config sub/.git/HEAD sub/b deep/er/.git deep/er/c', '', 'a sub/b deep/er/c'));
  test('[CAP11a] scratch files are left out and not listed', () =>
    expectCoverage(
      'a.ts a.rej a.orig .tmp1/x d/.tmpfoo .grep_1.txt .file_index.txt .pytest_a.txt .diff_b.txt .compile_c.txt .a.ts.swp .#a #a# NEW.md.tmp.11520.813c89982ef1',
      '',
      'a.ts',
    ));
  test('[CAP11a] names that only resemble scratch are covered', () =>
    expectCoverage(
      'rej a.rejx tmp/x x.tmp x.tmp.1.gz grep_1.txt a.orig/x .swp',
      '',
      'rej a.rejx tmp/x x.tmp x.tmp.1.gz grep_1.txt a.orig/x .swp',
    ));
  test('[CAP11b] the list is configurable, and our own temporary files stay out', () =>
    expectCoverage('a.rej a.foo .tmp-pal-1 t/x', '', 'a.rej', '', { scratch: { segments: ['t'], names: ['*.foo'] } }));
  test('[I7] a tracked scratch file is left out but listed', () =>
    expectCoverage('a.orig b', '', 'b', 'a.orig: scratch', { tracked: new Set(['a.orig', 'b']) }));
  test('[CAP11a] a tool that names a scratch file does not make it content', () =>
    expectCoverage('a.orig', '', '', '', { included: new Set(['a.orig']) }));
  test('[CAP18a] folders of our own are left out', () =>
    expectCoverage('a own/store/x own/y', '', 'a own/y', '', { ownFolders: ['own/store'] }));
});

describe('[CAP12b] ignored files', () => {
  test('small ones are covered and marked', () => expectCoverage('a .env x.log', '.env\n*.log', 'a .env? x.log?'));
  test('all of a small ignored folder is covered', () => expectCoverage('a l/1 l/m/2', 'l/', 'a l/1? l/m/2?'));
  test('a build folder is left out only when it is ignored', () =>
    expectCoverage('dist/a build/b sub/dist/c', 'dist/', 'build/b', 'dist/: ignored, sub/dist/: ignored'));
  test('dependency folders are left out, ignored or not', () =>
    expectCoverage(
      'node_modules/x/i.js p/node_modules/y .venv/z venv/pyvenv.cfg venv/q env/kept vendor/bundle/g vendor/own',
      '',
      'env/kept vendor/own',
      'node_modules/: dependency, p/node_modules/: dependency, .venv/: dependency, venv/: dependency, vendor/bundle/: dependency',
    ));
  test('tracked files are covered whatever the rules say', () =>
    expectCoverage(
      'dist/a dist/b node_modules/m/i node_modules/n/i k.log',
      'dist\n*.log',
      'dist/a node_modules/m/i k.log',
      'dist/: ignored, node_modules/: dependency',
      { tracked: new Set(['dist/a', 'node_modules/m/i', 'k.log']) },
    ));
  test('named files are covered whatever the rules say', () =>
    expectCoverage('dist/a dist/b', 'dist', 'dist/a', 'dist/: ignored', { included: new Set(['dist/a']) }));
  test('those above the size for ignored files are listed', () =>
    expectCoverage('.env', '.env', '', '.env: ignored', limits({ ignoredFileBytes: 0 })));
  test('an ignored folder beyond the limit is listed once', () =>
    expectCoverage('l/1 l/2 l/3 l/4 l/m/5', 'l/', 'l/1? l/2?', 'l/: limit', limits({ ignoredFilesPerFolder: 2 })));
  test('single ignored files beyond the limit are listed', () =>
    expectCoverage(
      '1.log 2.log 3.log',
      '*.log',
      '1.log? 2.log?',
      '3.log: limit',
      limits({ ignoredFilesPerFolder: 2 }),
    ));
  test('the limit for the whole workspace holds', () =>
    expectCoverage(
      'a/1.log b/2.log c/3.log',
      '*.log',
      'a/1.log? b/2.log?',
      'c/3.log: limit',
      limits({ ignoredFiles: 2 }),
    ));
  test('a file that was taken before keeps its place', () =>
    expectCoverage('l/1 l/2 l/9', 'l/', 'l/1? l/9?', 'l/: limit', {
      ...limits({ ignoredFilesPerFolder: 1 }),
      admitted: new Set(['l/9']),
    }));
  test('known files have their places in a full folder', () =>
    expectCoverage('l/1 l/2 l/3', 'l/', 'l/1 l/2', 'l/: limit', {
      ...limits({ ignoredFilesPerFolder: 2 }),
      tracked: new Set(['l/1', 'l/2']),
    }));
  test('what a scan left out is left out until the next one', () => {
    const root = put(newFolder(), { '.gitignore': 'l/', 'l/1': '', 'l/2': '' });
    const rules = coverageRules(root, limits({ ignoredFilesPerFolder: 1 }));
    const { coverage } = listFolder(rules, '') ?? {};
    expect(new Coverage(rules).file('l/2', 0).covered).toBe(true);
    expect(new Coverage(rules, coverage).file('l/2', 0)).toEqual({ covered: false, reason: 'limit' });
  });
  test('a file above the size limit is noticed, listed, and not kept', () => {
    const root = put(newFolder(), { big: 'xx', small: 'x' });
    const rules = coverageRules(root, limits({ keptFileBytes: 1 }));
    expect(covered(root, rules)).toEqual({ taken: ['big', 'small'], left: ['big: too-large'] });
    expect(new Coverage(rules).file('big', 2)).toEqual({ covered: true, kept: false, ignored: false });
  });
  test('[I7] the list is cut and the rest counted', () => {
    const root = put(newFolder(), { '.gitignore': '*.log', '1.log': '', '2.log': '', '3.log': '' });
    const rules = coverageRules(root, limits({ ignoredFiles: 0, listedUncovered: 2 }));
    const { coverage } = listFolder(rules, '') ?? {};
    expect(coverage).toMatchObject({ uncovered: [{ path: '1.log' }, { path: '2.log' }], beyond: 1 });
  });
});

describe('ignore rules', () => {
  test('a deeper file has the last word', () =>
    expectCoverage(
      'a.log d/b.log d/e/c.log',
      { '.gitignore': '*.log', 'd/.gitignore': '!b.log' },
      'a.log? d/b.log d/e/c.log?',
    ));
  test('a folder taken back in by a deeper file is ordinary, and higher rules still hold in it', () =>
    expectCoverage(
      'd/build/a d/build/b.log build/c',
      { '.gitignore': 'build/\n*.log', 'd/.gitignore': '!build/' },
      'd/build/a d/build/b.log?',
      'build/: ignored',
    ));
  test('[CAP12a] in a nested repository its own rules hold, and those outside do not', () =>
    expectCoverage(
      'n/.git/HEAD n/a.log n/b.txt n/c.own n/.git/info/exclude',
      { '.gitignore': '*.log', 'n/.gitignore': '*.txt', 'n/.git/info/exclude': '*.own' },
      'n/a.log n/b.txt? n/c.own?',
    ));
  test('[CAP12a] rules of the repository that the workspace is a folder of hold', () => {
    const repository = put(newFolder(), {
      '.git/info/exclude': 'x.exc',
      '.gitignore': '/sub/ws/y',
      'sub/.gitignore': '*.z',
    });
    put(repository, { 'sub/ws/x.exc': '', 'sub/ws/y': '', 'sub/ws/d/a.z': '', 'sub/ws/d/y': '' });
    expect(covered(join(repository, 'sub/ws')).taken).toEqual(['d/a.z?', 'd/y', 'x.exc?', 'y?']);
  });
  test('[CAP12a] a workspace that lies in an ignored folder is not empty for that', () => {
    const repository = put(newFolder(), { '.git/HEAD': '', '.gitignore': 'sub/', 'sub/ws/a': '' });
    expect(covered(join(repository, 'sub/ws')).taken).toEqual(['a']);
  });
  test('[SEC4f] of a rule file with more rules than anybody writes, those beyond the limit are passed over', () => {
    const rules = Array.from({ length: 50_000 }, (_, index) => `rule-${index}`).join('\n');
    const folders = Array.from({ length: 300 }, (_, index) => [`d${index}/kept`, ''] as const);
    const root = put(newFolder(), {
      '.gitignore': rules,
      ...Object.fromEntries(folders),
      'rule-7': '',
      'rule-49999': '',
    });
    const found = covered(root);
    expect(found.taken.filter((path) => path.endsWith('/kept'))).toHaveLength(300);
    expect(found.taken).toContain('rule-49999');
  });

  test('[CAP12g] rule files of which rules are passed over are told of', () => {
    const many = Array.from({ length: 2_001 }, (_, index) => `rule-${index}`).join('\n');
    const root = put(newFolder(), {
      '.gitignore': `# a comment and 2,000 rules\n\n${many.slice(0, many.lastIndexOf('\n'))}`,
      'many/.gitignore': many,
      'stars/.gitignore': 'a/**/b/**/c/**/d',
      'large/.gitignore': `x\n${'#'.repeat(1024 * 1024)}`,
      '.git/info/exclude': many,
      '.git/HEAD': '',
    });
    expect(listFolder(coverageRules(root, {}), '')!.coverage.rulesCutShort.toSorted()).toEqual([
      '.git/info/exclude',
      'large/.gitignore',
      'many/.gitignore',
      'stars/.gitignore',
    ]);
  });

  test('[SEC4f] rule files that are pipes, links or folders are passed over', () => {
    const root = put(newFolder(), { 'a.log': '', 'd/.gitignore/x': '', 'l/b.log': '', outside: '*.log' });
    execFileSync('mkfifo', [join(root, '.gitignore')]);
    symlinkSync('../outside', join(root, 'l/.gitignore'));
    const found = covered(root);
    expect(found.taken).toEqual(['a.log', 'd/.gitignore/x', 'l/.gitignore', 'l/b.log', 'outside']);
    expect(found.left).toEqual(['.gitignore: special']);
  });
});

describe('odd things on the disk', () => {
  const ODD = [
    'a b',
    `q'"q`,
    'new\nline',
    'caf\u00e9',
    'cafe\u0301',
    'x -> y',
    '-dash',
    'back\\slash',
    ' lead',
    'trail ',
    '\u65e5\u672c',
    '$&',
    '*',
  ];
  test('[CAP9a] odd names are covered as they are', () => {
    const root = put(
      newFolder(),
      Object.fromEntries(
        ODD.flatMap((name) => [
          [name, 'x'],
          [`d ${name}/${name}`, 'y'],
        ]),
      ),
    );
    expect(covered(root)).toEqual({ taken: ODD.flatMap((name) => [name, `d ${name}/${name}`]).sort(), left: [] });
  });
  test('[CAP9a] [I7] a name that is not UTF-8 is listed, its neighbours are covered', () => {
    const root = put(newFolder(), { ok: '', 'really\uFFFD': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xe9, 0x0a])]), '');
    expect(covered(root)).toEqual({ taken: ['ok', 'really\uFFFD'], left: ['bad-\\xe9\\x0a: name-not-utf8'] });
  });
  test('[SEC4c] links are never followed: loops and ways out are files', () => {
    const root = put(newFolder(), { 'd/a': '' });
    symlinkSync('..', join(root, 'd/loop'));
    symlinkSync('/etc', join(root, 'out'));
    symlinkSync('self', join(root, 'self'));
    expect(covered(root)).toEqual({ taken: ['d/a', 'd/loop', 'out', 'self'], left: [] });
  });
  test('[I7] a pipe is listed as special', () => {
    const root = put(newFolder(), { a: '' });
    execFileSync('mkfifo', [join(root, 'p')]);
    expect(covered(root)).toEqual({ taken: ['a'], left: ['p: special'] });
  });
  test.skipIf(process.getuid?.() === 0)('[I7] what cannot be read is listed', () => {
    const root = put(newFolder(), { a: '', shut: '' });
    mkdirSync(join(root, 'd'));
    chmodSync(join(root, 'd'), 0);
    chmodSync(join(root, 'shut'), 0);
    expect(covered(root)).toEqual({ taken: ['a'], left: ['d/: unreadable', 'shut: unreadable'] });
    chmodSync(join(root, 'd'), 0o700);
  });
});

describe('[CAP8b] real repositories', () => {
  test('a submodule and a linked worktree: contents covered, .git never, rules from where they are kept', () => {
    const base = newFolder();
    const library = put(join(base, 'library'), { 'l.ts': '', '.gitignore': '*.log' });
    git(library, 'init', '-q');
    git(library, 'add', '.');
    git(library, 'commit', '-qm', 'l');
    const main = put(join(base, 'main'), { 'm.ts': '' });
    git(main, 'init', '-q');
    git(main, 'submodule', '--quiet', 'add', library, 'sub');
    git(main, 'add', '.');
    git(main, 'commit', '-qm', 'm');
    put(main, {
      '.git/modules/sub/info/exclude': '*.exc',
      'sub/a.exc': '',
      'sub/b.log': '',
      '.git/info/exclude': '*.mine',
    });
    expect(covered(main).taken).toEqual([
      '.gitmodules',
      'm.ts',
      'sub/.gitignore',
      'sub/a.exc?',
      'sub/b.log?',
      'sub/l.ts',
    ]);
    const linked = join(base, 'linked');
    git(main, 'worktree', 'add', '-q', linked);
    put(linked, { 'x.mine': '' });
    expect(covered(linked).taken).toEqual(['.gitmodules', 'm.ts', 'x.mine?']);
  });
  test('the excludes of the user do not matter', () => {
    const root = put(newFolder(), { 'a.log': '', 'home/ignore': '*.log' });
    git(root, 'init', '-q');
    git(root, 'config', 'core.excludesFile', join(root, 'home/ignore'));
    expect(covered(root).taken).toEqual(['a.log', 'home/ignore']);
  });
});

describe('single paths', () => {
  test('[CAP12b] the answer for one path is the answer of the scan', () => {
    const root = put(newFolder(), {
      '.gitignore': 'dist\n*.log\nl/',
      ...Object.fromEntries(
        ['a', 'd/b.log', 'dist/c', 'l/m/e', 'node_modules/f', '.tmpx/g', 'n/.git/HEAD'].map((path) => [path, 'x']),
      ),
    });
    const coverage = new Coverage(coverageRules(root));
    const answers = ['a', 'd/b.log', 'dist/c', 'l/m/e', 'node_modules/f', '.tmpx/g', 'n/.git/HEAD', '.git'].map(
      (path) => {
        const verdict = coverage.file(path, 1);
        return verdict.covered ? (verdict.ignored ? 'taken' : 'covered') : verdict.reason;
      },
    );
    expect(answers.join(' ')).toBe('covered taken ignored taken dependency scratch internal internal');
    coverage.include('dist/c');
    expect(coverage.file('dist/c', 1)).toMatchObject({ covered: true });
  });
});
