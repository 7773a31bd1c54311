import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeOf } from '../agents/programs.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';

const APP = fileURLToPath(new URL('../../apps/pal/', import.meta.url));
const BYTES_LIMIT = 40_000_000;
/** Those that are supported, and the newest there is. */
const NODES = ['20', '22', '24', 'latest'];
/** Of this user nothing is known and nothing belongs to it. */
const NOBODY = 65534;

const folder = mkdtempSync(join(tmpdir(), 'pal-package-'));
let tarball: string;
beforeAll(() => {
  chmodSync(folder, 0o755);
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', `--pack-destination=${folder}`], { cwd: APP, encoding: 'utf8' }),
  ) as [{ filename: string }];
  tarball = join(folder, packed.filename);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

describe.each(NODES)('the package, installed alone on Node %s', (version) => {
  test('[PKG1a] without root, network or script it installs into an empty place, and the demo runs', async (context) => {
    const node = await nodeOf(version);
    if ('missing' in node) process.stdout.write(`SKIPPED on Node ${version}: ${node.missing}\n`);
    if ('missing' in node) return context.skip(node.missing);
    const person = newcomer(version, node.file);
    context.onTestFinished(() => void person.spawned('pal', 'stop'));
    person.run('npm', 'install', '--global', '--offline', '--ignore-scripts', tarball);
    const demo = person.run('pal', 'demo');
    expect(demo).toContain("the demo's workspace and daemon are gone again");
    person.run('git', 'init', '--quiet');
    const status = JSON.parse(person.run('pal', 'status', '--json')) as { daemon: object; workspace: object };
    expect(status).toMatchObject({ daemon: { version: manifest().version }, workspace: { root: person.work } });
    person.run('pal', 'init', '--agent', 'claude', 'opencode', 'cline');
    expect(JSON.parse(person.run('pal', 'doctor', '--json'))).toMatchObject({ ok: true });
    expect(person.run('pal', 'uninstall', '--data')).toContain('removed: the data of 1 workspace');
    expect(readdirSync(person.home).filter((name) => name !== '.npm')).toEqual(['.local']);
  });
});

describe('what is in the package', () => {
  test('[PKG1b] it names no other package, runs no script, may be published, and says under which licences it is', () => {
    const { name, bin, engines, ...rest } = manifest();
    expect({ name, bin, engines }).toEqual({
      name: 'palimpsest',
      bin: { pal: 'bin/pal.js' },
      engines: { node: '>=20.19' },
    });
    for (const field of ['private', 'dependencies', 'optionalDependencies', 'peerDependencies', 'scripts'])
      expect(rest).not.toHaveProperty(field);
    expect(entries()).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'bundle/LICENSES.txt']));
    expect(entries().filter((path) => /\.(ts|map)$|node_modules|\.(test|fixture)\./.test(path))).toEqual([]);
  });

  test('[PKG1c] installed it takes at most 40 MB', () => {
    const place = join(folder, 'unpacked');
    mkdirSync(place);
    execFileSync('tar', ['-xf', tarball, '-C', place]);
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
    const bytes = files.map((name) => lstatSync(join(place, name))).reduce((sum, { size }) => sum + size, 0);
    expect(files.length).toBeGreaterThan(50);
    expect(bytes).toBeLessThan(BYTES_LIMIT);
  });
});

/** Somebody with an empty home, an empty prefix for npm, and no rights beyond those. */
function newcomer(name: string, node: string) {
  const [home, prefix, work, temporary] = ['home', 'prefix', 'work', 'tmp'].map((part) => join(folder, name, part)) as [
    string,
    string,
    string,
    string,
  ];
  for (const place of [join(folder, name), home, prefix, work, temporary]) {
    mkdirSync(place, { mode: 0o755 });
    if (isRoot()) chownSync(place, NOBODY, NOBODY);
  }
  const env = {
    PATH: [join(prefix, 'bin'), dirname(node), process.env.PATH].join(delimiter),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    npm_config_prefix: prefix,
  };
  const spawned = (...words: readonly string[]) => {
    const [program, ...args] = [...withoutRoot(), ...words];
    return spawnSync(program!, args, { cwd: work, env, encoding: 'utf8', timeout: LIMIT_MS });
  };
  const run = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawned(...words);
    if (status !== 0) throw new Error(`${words.join(' ')}: ${status}\n${stdout}\n${stderr}`);
    return stdout;
  };
  return { home, work, spawned, run };
}

function withoutRoot(): readonly string[] {
  return isRoot() ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs'] : [];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function manifest(): Readonly<Record<string, unknown>> {
  return JSON.parse(execFileSync('tar', ['-xOf', tarball, 'package/package.json'], { encoding: 'utf8' }));
}

function entries(): readonly string[] {
  const listed = execFileSync('tar', ['-tf', tarball], { encoding: 'utf8' }).trim().split('\n');
  return listed.map((path) => path.replace(/^package\//, ''));
}
