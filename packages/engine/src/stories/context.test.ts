import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import type { ContextAnswer, ContextRequest } from '../context/context-desk.js';
import { type Stage, type StageOptions, stage } from './stage.fixture.js';

const FILES = {
  'src/parser.ts': 'export function parseLine(text: string) {\n  return text.split(",");\n}\n',
  'src/app.ts': 'import { parseLine } from "./parser";\nconsole.log(parseLine("a,b"));\n',
  'src/server.ts': 'export function listenOn(port: number) {\n  return port;\n}\n',
  'style.md': 'Write whole words.\n',
};

/** A git that notes on which repository it runs, and what; found before the real one. */
function watchedGit() {
  const folder = newFolder();
  const noted = join(folder, 'runs');
  mkdirSync(join(folder, 'bin'));
  const path = process.env.PATH ?? '';
  const program = join(folder, 'bin', 'git');
  writeFileSync(program, `#!/bin/sh\necho "$GIT_DIR $*" >> '${noted}'\nPATH='${path}' exec git "$@"\n`);
  chmodSync(program, 0o755);
  return {
    environment: { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${path}` },
    /** Whether it ran on this repository since it was last asked. */
    ranOn(gitDir: string): boolean {
      const runs = existsSync(noted) ? readFileSync(noted, 'utf8').split('\n') : [];
      rmSync(noted, { force: true });
      return runs.some((run) => run.startsWith(`${gitDir} `));
    },
  };
}

async function context(
  { workspace }: Stage,
  prompt: string,
  more: Partial<ContextRequest> = {},
): Promise<ContextAnswer> {
  const answer = await workspace.context({ prompt, ...more });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

const kinds = ({ blocks }: ContextAnswer) => [...new Set(blocks.map(({ kind }) => kind))].join(' ');
const paths = ({ blocks }: ContextAnswer, kind: string) =>
  blocks.flatMap((one) => (one.kind === kind ? [one.path] : []));

async function watched(options: StageOptions = {}) {
  const git = watchedGit();
  const at = await stage({ files: FILES, open: { environment: git.environment }, ...options });
  git.ranOn(at.path('.git'));
  return { at, ranGit: () => git.ranOn(at.path('.git')) };
}

/** In an empty ledger, with a change of the human that is not committed. */
const SPEAK_OF_CHANGES = [
  'review my changes',
  'what did I change?',
  'write a commit message for this',
  'Schau dir bitte meine Änderungen an',
  'Was habe ich geändert?',
  'Relis mes modifications',
  "qu'est-ce que j'ai changé ?",
  'Revisa mis cambios',
  '¿qué he cambiado?',
  'O que eu mudei?',
  'revise minhas alterações, por favor',
  'Guarda le mie modifiche',
  'cosa ho cambiato?',
  'Посмотри мои изменения',
  'что я изменил?',
  '看看我的改动',
  '我改了什么？',
  '私の変更を見てください',
  '何を変更しましたか？',
];
const ASK_FOR_GIT = [
  'show me the git diff',
  'what is staged?',
  'look at my uncommitted changes',
  'was ist noch nicht committet?',
  'montre ce qui n’est pas encore commité',
  '¿qué está sin commitear?',
  'o que está sem commit?',
  'cosa non è ancora finito? guarda quello non committato',
  'покажи незакоммиченные изменения',
  '看一下未提交的改动',
  '未コミットの変更を見せて',
];
const SPEAK_OF_NEITHER = [
  'thanks!',
  'change the colour of the button to red',
  'make the following changes: rename a to b',
  'explain src/parser.ts',
  'how does git diff work?',
  'push it',
  'Danke, passt so',
  'Ändere die Farbe auf Rot',
  'Merci !',
  'Change la couleur en rouge',
  'Gracias',
  'Cambia el color a rojo',
  'Obrigado!',
  'Mude a cor para vermelho',
  'Grazie mille',
  'Cambia il colore in rosso',
  'Спасибо',
  'Измени цвет на красный',
  '谢谢',
  '把颜色改成红色',
  'ありがとう',
  '色を赤に変更してください',
];

describe('git', () => {
  test('[CTX2c] an empty ledger and a prompt that speaks of changes let git in', async () => {
    const { at, ranGit } = await watched();
    at.write('src/app.ts', 'changed by hand\n');
    at.write('src/server.ts', 'staged by hand\n');
    at.git('add', 'src/server.ts');
    for (const prompt of [...SPEAK_OF_CHANGES, ...ASK_FOR_GIT]) {
      const answer = await context(at, prompt);
      expect([prompt, ranGit(), kinds(answer)]).toEqual([prompt, true, 'git-summary git-diff']);
      const [summary, staged, unstaged] = answer.blocks;
      expect(summary?.text).toContain('- staged: src/server.ts +1 −3\n- not staged: src/app.ts +1 −2\n');
      expect(staged?.text).toContain('+staged by hand\n');
      expect(unstaged?.text).toContain('+changed by hand\n');
    }
  });

  test('[CTX2c] any other prompt does not run it', async () => {
    const { at, ranGit } = await watched();
    at.write('src/app.ts', 'changed by hand\n');
    for (const prompt of SPEAK_OF_NEITHER) {
      const answer = await context(at, prompt);
      expect([prompt, ranGit(), kinds(answer)]).toEqual([prompt, false, expect.not.stringContaining('git')]);
    }
  });

  test('[CTX2c] once calls have changed files, changes are those, and git is run only on demand', async () => {
    const { at, ranGit } = await watched();
    await at.agent('S').writeFile('made.ts', 'by the agent\n');
    ranGit();
    for (const prompt of SPEAK_OF_CHANGES) {
      const answer = await context(at, prompt);
      expect([prompt, ranGit(), kinds(answer)]).toEqual([prompt, false, 'patch-summary patch']);
    }
    for (const prompt of ASK_FOR_GIT) {
      await context(at, prompt);
      expect([prompt, ranGit()]).toEqual([prompt, true]);
    }
  });

  test('[CTX2c] a build that failed lets git in after edits from outside, until one succeeds', async () => {
    const { at, ranGit } = await watched();
    const agent = at.agent('S');
    const run = (command: string, ok: boolean) => agent.call('Bash', { command }, () => undefined, { ok });
    const asked = async (prompt: string) => {
      ranGit();
      const answer = await context(at, prompt, { session: 'S' });
      return [ranGit(), answer.blocks.find(({ kind }) => kind === 'git-summary')?.reason];
    };
    await run('npm test', false);
    expect(await asked('go on')).toEqual([false, undefined]);
    at.write('src/app.ts', 'by hand\n');
    await at.workspace.look();
    expect(await asked('go on')).toEqual([false, undefined]);
    await run('ls', false);
    expect(await asked('go on')).toEqual([false, undefined]);
    await run('npm test', false);
    expect(await asked('go on')).toEqual([true, '`npm test` failed after files were changed from outside']);
    await run('npm test', true);
    expect(await asked('go on')).toEqual([false, undefined]);
  });

  test('[CTX2c] that a prompt says so is enough, in any language, if there were edits from outside', async () => {
    const { at, ranGit } = await watched();
    await at.workspace.note({ kind: 'prompt', session: 'S', text: 'hello' });
    const failures = ['the tests fail now', 'der Build ist kaputt', 'les tests échouent', 'no compila', 'não compila'];
    const more = ['non compila più', 'тесты падают', '测试不通过', 'ビルドが失敗します'];
    for (const prompt of [...failures, ...more]) {
      await context(at, prompt, { session: 'S' });
      expect([prompt, ranGit()]).toEqual([prompt, false]);
    }
    at.write('src/app.ts', 'by hand\n');
    await at.workspace.look();
    for (const prompt of [...failures, ...more]) {
      await context(at, prompt, { session: 'S' });
      expect([prompt, ranGit()]).toEqual([prompt, true]);
    }
  });

  test('[CTX2c] nothing of the repository is written, whatever its configuration says', async () => {
    const { at } = await watched();
    at.write('src/app.ts', 'by hand\n');
    at.write('hit.sh', `#!/bin/sh\ntouch '${at.path('was-run')}'\ncat\n`);
    at.chmod('hit.sh', 0o755);
    for (const [name, value] of [
      ['core.fsmonitor', at.path('hit.sh')],
      ['diff.external', at.path('hit.sh')],
      ['core.pager', at.path('hit.sh')],
    ] as const)
      at.git('config', name, value);
    const index = readFileSync(at.path('.git/index'));
    expect(kinds(await context(at, 'git diff'))).toBe('git-summary git-diff');
    expect(readFileSync(at.path('.git/index')).equals(index)).toBe(true);
    expect(at.read('was-run')).toBeNull();
  });
});

describe('open files', () => {
  const NAMING = [
    'explain parser.ts',
    'was macht src/parser.ts?',
    'que hace parser.ts',
    '解释一下 parser.ts',
    'look at `src/parser.ts`',
  ];

  test('[CTX2b] a prompt that names an open file, asks about code, or asks for open files lets them in', async () => {
    const at = await stage({ files: FILES });
    const { openFiles } = at.workspace;
    await openFiles.open(['src/parser.ts', 'src/app.ts']);
    for (const prompt of NAMING) expect(paths(await context(at, prompt), 'open-file')[0]).toBe('src/parser.ts');
    const about = ['use the open files', 'why is it slow?', 'nutze die offenen Dateien', 'warum ist das so langsam?'];
    const more = [
      'utilise les fichiers ouverts',
      'usa los archivos abiertos',
      'почему так медленно?',
      '为什么这么慢',
      'なぜ遅いのですか',
    ];
    for (const prompt of [...about, ...more])
      expect([prompt, paths(await context(at, prompt), 'open-file')]).toEqual([
        prompt,
        ['src/parser.ts', 'src/app.ts'],
      ]);
    for (const prompt of ['thanks!', 'Danke', 'merci', '谢谢', 'ありがとう', 'commit it'])
      expect([prompt, paths(await context(at, prompt), 'open-file')]).toEqual([prompt, []]);
  });

  test('[CTX2b] what was used in the last turn comes in, and a pin always', async () => {
    const at = await stage({ files: FILES });
    await at.workspace.openFiles.pin(['style.md']);
    await at.workspace.note({ kind: 'prompt', session: 'S', text: 'first' });
    await at.agent('S').readFile('src/app.ts');
    await at.workspace.note({ kind: 'cut', session: 'S' });
    expect(paths(await context(at, 'go on', { session: 'S' }), 'open-file')).toEqual(['style.md', 'src/app.ts']);
    await at.workspace.note({ kind: 'prompt', session: 'S', text: 'second' });
    await at.workspace.note({ kind: 'prompt', session: 'S', text: 'third' });
    expect(paths(await context(at, 'third', { session: 'S' }), 'open-file')).toEqual(['style.md']);
  });

  test('[CTX5b] what a session has read is not sent again until it changes or is cut from its sight', async () => {
    const at = await stage({ files: FILES });
    await at.agent('S').readFile('src/parser.ts');
    const asked = async () => paths(await context(at, 'explain parser.ts', { session: 'S' }), 'open-file');
    expect(await asked()).toEqual([]);
    at.write('src/parser.ts', FILES['src/parser.ts'].replace('split', 'cut'));
    const changed = await context(at, 'explain parser.ts', { session: 'S' });
    expect(changed.blocks.map(({ kind, lines }) => [kind, lines])).toEqual([
      ['notices', undefined],
      ['open-file', [{ from: 2, to: 2 }]],
    ]);
    expect(changed.blocks[0]?.text).toContain('src/parser.ts has changed since you last saw it.');
    await at.workspace.note({ kind: 'cut', session: 'S' });
    expect(await asked()).toEqual(['src/parser.ts']);
  });

  test('[CTX5c] a context that was delivered counts as seen, in the bytes that it showed', async () => {
    const at = await stage({ files: FILES });
    await at.workspace.startSession({ id: 'S' });
    const first = await context(at, 'explain src/parser.ts', { session: 'S' });
    expect(await at.workspace.stale('S')).toEqual([]);
    await at.workspace.contextDelivered(first);
    expect(paths(await context(at, 'explain src/parser.ts', { session: 'S' }), 'open-file')).toEqual([]);
    const edit = { file_path: at.path('src/parser.ts'), old_string: 'split', new_string: 'cut' };
    expect((await at.agent('S').begin('Edit', edit)).decision).toBe('allow');
    at.write('src/app.ts', 'another\n');
    const second = await context(at, 'explain src/app.ts', { session: 'S' });
    at.write('src/app.ts', 'and another\n');
    await at.workspace.look();
    await at.workspace.contextDelivered(second);
    const over = { file_path: at.path('src/app.ts'), content: 'mine\n' };
    expect((await at.agent('S').begin('Write', over)).decision).toBe('deny');
  });
});

describe('retrieval', () => {
  test('[CTX4e] it comes last, for what nothing else covers', async () => {
    const at = await stage({ files: FILES });
    const found = await context(at, 'why does listenOn return the port?');
    expect(found.blocks.map(({ kind, path }) => [kind, path])).toEqual([['found', 'src/server.ts']]);
    expect(found.blocks[0]).toMatchObject({ reason: 'the prompt names it', lines: [{ from: 1, to: 3 }] });
    await at.workspace.openFiles.open(['src/server.ts']);
    expect(kinds(await context(at, 'why does listenOn return the port?'))).toBe('open-file');
    expect(kinds(await context(at, 'thanks!'))).toBe('');
    expect(kinds(await context(at, 'why does listenOn return the port?', { budget: 100 }))).not.toContain('found');
  });

  test('[CTX4f] files are found by name, symbol and word, as they are now', async () => {
    const at = await stage({
      files: { ...FILES, 'docs/größe.md': 'Die Größe des Puffers\n', 'zh.md': '# 缓冲区大小\n配置说明\n' },
    });
    const first = async (prompt: string) => paths(await context(at, prompt), 'found')[0];
    expect(await first('explain server.ts')).toBe('src/server.ts');
    expect(await first('where is parse_line or parseLine defined')).toBe('src/parser.ts');
    expect(await first('warum ist der Puffer so: Größe?')).toBe('docs/größe.md');
    expect(await first('为什么缓冲区这么大')).toBe('zh.md');
    at.write('src/late.ts', 'export const lateBinding = 1;\n');
    expect(await first('explain lateBinding')).toBe('src/late.ts');
    at.remove('src/late.ts');
    expect(await first('explain lateBinding')).toBeUndefined();
  });
});

test('[CTX4b] pinned files come first, then the latest used', async () => {
  const at = await stage({ files: FILES });
  await at.workspace.openFiles.open(['src/app.ts']);
  await at.workspace.openFiles.open(['src/server.ts']);
  await at.workspace.openFiles.pin(['style.md']);
  const order = ['style.md', 'src/server.ts', 'src/app.ts'];
  expect(paths(await context(at, 'use the open files'), 'open-file')).toEqual(order);
});

test('[CTX1a] a budget that is none, and a session that is not there, are refused', async () => {
  const at = await stage({ files: FILES });
  expect(await at.workspace.context({ prompt: 'x', budget: -1 })).toMatchObject({ error: { code: 'bad-input' } });
  expect(await at.workspace.context({ prompt: 'x', session: 'no' })).toMatchObject({
    error: { code: 'unknown-session' },
  });
  expect(await context(at, 'explain parser.ts', { budget: 0 })).toMatchObject({ blocks: [], tokens: 0, left: 0 });
});
