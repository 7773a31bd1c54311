import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { edited, touchTimes } from './editor.js';
import { GIT_MOVES } from './git-moves.js';
import { sceneOf } from './scene.js';
import { SHELL_MOVES } from './shell.js';
import type { Stage } from './stage.js';
import { HUMAN, PROGRAM } from './token.js';
import { allTokens } from './verdicts.js';

/** A person at a terminal. */
export async function playTerminal(stage: Stage): Promise<void> {
  const roll = stage.chance.next();
  if (roll < 0.6) await playCommand(stage);
  else if (roll < 0.75) await playFolder(stage);
  else if (roll < 0.87) await playIgnored(stage);
  else if (roll < 0.92) await playRules(stage);
  else await playInstall(stage);
}

/** For a moment nothing is ignored: what was left out comes into view, is nobody's change, and goes out of sight again. */
async function playRules(stage: Stage): Promise<void> {
  if (stage.open.length > 0 || stage.murky || !stage.now.files.has('.gitignore')) return;
  stage.table.count('human, terminal', 'ignore rules that go and come back');
  const place = join(stage.world.root, '.gitignore');
  const rules = readFileSync(place);
  const isBuilding = stage.chance.in(0.5);
  stage.say(`human: the ignore rules go for a moment${isBuilding ? ', and a build runs' : ''}`);
  await unannounced(stage, () => rmSync(place));
  if (isBuilding) {
    for (let index = 2; index < 6; index++) write(stage, `dist/${index}.js`, `${stage.tokens.line(PROGRAM)}\n`);
    stage.did({ by: 'program' });
    await stage.settle();
  }
  await unannounced(stage, () => writeFileSync(place, rules));
}

async function playCommand(stage: Stage): Promise<void> {
  const { name, command } = stage.chance.weighed(SHELL_MOVES);
  const line = command(sceneOf(stage, HUMAN));
  if (line === null) return;
  stage.table.count('human, terminal', 'a shell move');
  stage.say(`human at a terminal: ${name}: ${line}`);
  await unannounced(stage, () => stage.world.shell(line));
}

/** A terminal announces nothing: beside a running command nobody can tell the two apart. */
async function unannounced(stage: Stage, act: () => void): Promise<void> {
  const before = allTokens(stage, stage.now);
  act();
  stage.did({ by: 'human' });
  if (stage.open.some(({ shell }) => shell) || stage.murky)
    stage.tokens.loosen([...allTokens(stage, stage.photograph())].filter((token) => !before.has(token)));
  await stage.settle();
}

async function playFolder(stage: Stage): Promise<void> {
  stage.table.count('human, terminal', 'making and removing a folder');
  const folder = join(stage.world.root, sceneOf(stage, HUMAN).fresh('folder'));
  stage.say(`human makes ${folder}, and perhaps removes it`);
  await unannounced(stage, () => {
    mkdirSync(folder);
    if (stage.chance.in(0.5)) rmSync(folder, { recursive: true });
  });
}

async function playIgnored(stage: Stage): Promise<void> {
  stage.table.count('human, terminal', 'editing an ignored file');
  stage.table.count('On what', 'ignored');
  const path = stage.chance.pick(['ign/mine.txt', 'ign/other.txt', 'trace.log']);
  stage.say(`human edits the ignored ${path}`);
  const there = stage.now.files.has(path);
  await unannounced(stage, () => write(stage, path, there ? edited(stage, path) : `${stage.tokens.line(HUMAN)}\n`));
}

async function playInstall(stage: Stage): Promise<void> {
  stage.table.count('human, terminal', 'npm install');
  stage.say('human: npm install');
  await unannounced(stage, () => {
    for (let index = 0; index < 5; index++)
      write(stage, `node_modules/p${stage.newName()}/index.js`, `${stage.tokens.line(PROGRAM)}\n`);
  });
}

/** A person's git; what it brings back has the authors it had. */
export async function playGit(stage: Stage): Promise<void> {
  if (!stage.world.hasGit || stage.open.length > 0) return;
  const { name, command } = stage.chance.weighed(GIT_MOVES);
  stage.outside.checkGit();
  stage.table.count('human, terminal', 'a git move');
  stage.table.count('agent, shell', name);
  const line = command({ chance: stage.chance, tokens: stage.tokens, writer: HUMAN, names: () => stage.newName() });
  const exit = stage.world.shell(line);
  stage.say(`human: ${name}: ${line} (exit ${exit})`);
  stage.did({ by: 'git' });
  stage.outside.gitMoved();
  await stage.settle();
}

/** Programs that nobody asked: they count as the person's, who runs them. */
export async function playOthers(stage: Stage): Promise<void> {
  const roll = stage.chance.below(3);
  if (roll === 0) {
    stage.table.count('others', 'a sync client that touches times');
    stage.say('a sync client touches times');
    touchTimes(stage);
  } else if (roll === 1) {
    stage.table.count('others', 'a build writing ignored files');
    stage.say('a build writes ignored files');
    for (let index = 0; index < 4; index++) write(stage, `dist/${index}.js`, `${stage.tokens.line(PROGRAM)}\n`);
  } else {
    const files = sceneOf(stage, PROGRAM).files;
    if (files.length === 0 || stage.open.length > 0) return;
    const path = stage.chance.pick(files);
    stage.table.count('others', 'a watcher that rewrites what is saved');
    stage.say(`a watcher rewrites ${path}`);
    write(stage, path, `${stage.text(path)}${stage.tokens.line(PROGRAM)}\n`);
  }
  stage.did({ by: 'program' });
  await stage.settle();
}

function write(stage: Stage, path: string, text: string): void {
  const place = join(stage.world.root, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text, 'latin1');
}
