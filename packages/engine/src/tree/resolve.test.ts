import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, put } from './folder.fixture.js';
import { diskIgnoresCase, type ResolveOptions, resolveInWorkspace } from './resolve.js';

const base = newFolder();
const root = put(join(base, 'ws'), { 'src/a.ts': '', 'd/e/f': '', 'README.md': '' });
put(base, { 'outside/secret': '' });
symlinkSync(root, join(base, 'linked-root'));
symlinkSync('d', join(root, 'inner'));
symlinkSync('README.md', join(root, 'CLAUDE.md'));
symlinkSync('../outside', join(root, 'out'));
symlinkSync('/nowhere/at/all', join(root, 'dangling'));
symlinkSync('loop2', join(root, 'loop1'));
symlinkSync('loop1', join(root, 'loop2'));

/** `$` stands for the folder above the workspace. */
function resolved(input: string, cwd = '$/ws', options: ResolveOptions = {}): string {
  const outcome = resolveInWorkspace(root, cwd.replace('$', base), input.replace('$', base), options);
  return outcome.ok ? outcome.value : `!${outcome.error.code}`;
}

describe('[FRE6] one file, one path', () => {
  const same: [string, string?][] = [
    ['src/a.ts'],
    ['./src/a.ts'],
    ['src//./a.ts'],
    ['d/../src/a.ts'],
    ['$/ws/src/a.ts'],
    ['$/ws/../ws/src/a.ts'],
    ['$/linked-root/src/a.ts'],
    ['a.ts', '$/ws/src'],
    ['../src/a.ts', '$/ws/d'],
    ['a.ts', '$/linked-root/src'],
    ['src/a.ts', '$/linked-root'],
    ['ws/src/a.ts', '$'],
  ];
  test.each(same)('%s from %s', (input, cwd) => expect(resolved(input, cwd)).toBe('src/a.ts'));

  test('what does not exist yet has a path', () => expect(resolved('new/deep/x')).toBe('new/deep/x'));
  test('spaces, dashes and backslashes are part of the name', () =>
    expect(['trail ', ' lead', '-x', 'b\\c', 'new\nline'].map((input) => resolved(input))).toEqual([
      'trail ',
      ' lead',
      '-x',
      'b\\c',
      'new\nline',
    ]));
  test('a folder may be named with a slash', () => expect(resolved('d/e/')).toBe('d/e'));
  test('a linked folder inside leads to the real place, also for what is not there yet', () =>
    expect([resolved('inner/e/f'), resolved('inner/new')]).toEqual(['d/e/f', 'd/new']));
  test('a link at the end is followed or kept, as asked', () =>
    expect([resolved('CLAUDE.md'), resolved('CLAUDE.md', undefined, { lastLink: 'keep' })]).toEqual([
      'README.md',
      'CLAUDE.md',
    ]));
  test('a link out may be named as itself', () => expect(resolved('out', undefined, { lastLink: 'keep' })).toBe('out'));
  test('letters follow the disk where it ignores case', () => {
    const options = { ignoresCase: true };
    expect(['SRC/A.TS', 'Src/new.TS', 'src/a.ts'].map((input) => resolved(input, undefined, options))).toEqual([
      'src/a.ts',
      'src/new.TS',
      'src/a.ts',
    ]);
    expect(resolved('SRC/A.TS')).toBe('SRC/A.TS');
  });
  test('two names that differ in case are never mixed up', () => {
    put(root, { 'case/x': '', 'case/X': '' });
    expect(['case/x', 'case/X'].map((input) => resolved(input, undefined, { ignoresCase: true }))).toEqual([
      'case/x',
      'case/X',
    ]);
  });
  test('this disk tells letters apart', () => expect(diskIgnoresCase(root)).toBe(false));
});

describe('[SEC4b] what is not inside is refused', () => {
  const refused: [string, string][] = [
    ['', '!empty'],
    ['a\0b', '!nul'],
    ['x'.repeat(5000), '!too-long'],
    ['.', '!root'],
    ['$/ws', '!root'],
    ['$/linked-root/', '!root'],
    ['../outside/secret', '!outside'],
    ['$/outside/secret', '!outside'],
    ['/etc/passwd', '!outside'],
    ['src/../../outside/secret', '!outside'],
    ['$/ws-other/x', '!outside'],
    ['out/secret', '!escapes'],
    ['out/new/x', '!escapes'],
    ['out', '!escapes'],
    ['dangling', '!escapes'],
    ['loop1', '!loop'],
    ['loop1/x', '!loop'],
  ];
  test.each(refused)('%j is %s', (input, expected) => expect(resolved(input)).toBe(expected));
});

describe('[REC5b] worktrees mean workspace paths', () => {
  const worktree = put(join(base, 'worktrees/s1'), { 'src/a.ts': '' });
  const options = { extraRoots: [worktree, '/tmp/gone-worktree-of-pal', join(root, '.trees/t')] };
  const at = (input: string, cwd?: string) => resolved(input, cwd, options);
  test('a path in a live one', () => expect(at('$/worktrees/s1/src/a.ts')).toBe('src/a.ts'));
  test('relative to a folder in it', () => expect(at('../x', '$/worktrees/s1/src')).toBe('x'));
  test('one inside the workspace has paths of its own', () => expect(at('.trees/t/src/a.ts')).toBe('src/a.ts'));
  test('one that is gone, in both spellings', () =>
    expect([at('/tmp/gone-worktree-of-pal/a/b'), at('/private/tmp/gone-worktree-of-pal/a/b')]).toEqual(['a/b', 'a/b']));
  test('a link out of it is refused', () => {
    symlinkSync(join(base, 'outside'), join(worktree, 'out'));
    expect(at('$/worktrees/s1/out/secret')).toBe('!escapes');
  });
  test('one that went away after it was named', () => {
    const gone = join(base, 'worktrees/s2');
    mkdirSync(gone);
    rmSync(gone, { recursive: true });
    expect(resolved('$/worktrees/s2/p/q', undefined, { extraRoots: [gone] })).toBe('p/q');
    expect(resolved('$/worktrees/s2', undefined, { extraRoots: [gone] })).toBe('!root');
  });
});
