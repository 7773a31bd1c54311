import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Who may import whom. A member that is not listed under another may not be imported by it. */
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [],
  'packages/protocol': ['packages/core'],
  'packages/engine': ['packages/core'],
  'packages/agent': ['packages/engine'],
  'apps/web': ['packages/core', 'packages/protocol'],
  'apps/vscode': ['packages/core', 'packages/protocol'],
  'apps/pal': ['packages/core', 'packages/protocol', 'packages/engine', 'packages/agent'],
};
const MEMBER_OF_PACKAGE: Readonly<Record<string, string>> = {
  '@palimpsest/core': 'packages/core',
  '@palimpsest/protocol': 'packages/protocol',
  '@palimpsest/engine': 'packages/engine',
  '@palimpsest/agent': 'packages/agent',
};
/** Within pal only the daemon, and the one file that starts it, may touch the engine. */
const ENGINE_WITHIN_PAL = [/^apps\/pal\/src\/daemon\//];
/**
 * Members whose folders can be put in an order in which each imports only those before it. The files at a member's root are
 * a folder too; its `index.ts`, which lists what others may use, is not counted.
 */
const ORDERED_FOLDERS = ['apps/pal', 'packages/core', 'packages/engine', 'packages/protocol'];
const WITHOUT_NODE = ['packages/core', 'packages/protocol', 'apps/web'];
/** Where pal prints; everywhere else a message is a value. */
const PRINTING = [/^apps\/pal\/src\/print\//];
const FORBIDDEN_NAMES = /(^|\/)(utils?|helpers?|services?|managers?|common)(\/|\.ts$)|(^|\/)types\.ts$/;
const LINES_LIMIT = 400;

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path));
const sources = tracked.map((path) => ({ path, text: read(path), member: memberOf(path) }));
const shipped = sources.filter(({ path, member }) => member !== null && !/\.(test|fixture)\.tsx?$/.test(path));

describe('tidy', () => {
  test('[TID1] members import only what they may', () => {
    expect(shipped.flatMap(({ path, text, member }) => wrongImports(path, text, member!))).toEqual([]);
  });

  test('[TID1] within pal only the daemon imports the engine', () => {
    const breaches = shipped.filter(
      ({ path, text, member }) =>
        member === 'apps/pal' &&
        importsOf(text).map(packageOf).includes('@palimpsest/engine') &&
        !ENGINE_WITHIN_PAL.some((allowed) => allowed.test(path)),
    );
    expect(breaches.map(({ path }) => path)).toEqual([]);
  });

  test('[TID2] no file takes part in an import cycle', () => {
    expect(inCycle(fileGraph())).toEqual([]);
  });

  test('[TID8] no two folders of one member import each other, directly or by way of others', () => {
    const loops = ORDERED_FOLDERS.flatMap((member) => {
      const files = [...fileGraph()].filter(([path]) => memberOf(path) === member && !path.endsWith('/src/index.ts'));
      const folders = new Map<string, string[]>();
      for (const [path, targets] of files) {
        const others = targets.map((target) => dirname(target)).filter((folder) => folder !== dirname(path));
        folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), ...others]);
      }
      return inCycle(folders);
    });
    expect(loops).toEqual([]);
  });

  test('[TID3] core, protocol and web know nothing of Node', () => {
    const breaches = shipped.filter(
      ({ text, member }) => WITHOUT_NODE.includes(member!) && importsOf(text).some((name) => name.startsWith('node:')),
    );
    expect(breaches.map(({ path }) => path)).toEqual([]);
  });

  test('[TID4] no wildcard export, no empty catch, no stray console', () => {
    const breaches = shipped.flatMap(({ path, text }) => [
      ...(/^export \*/m.test(text) ? [`${path}: export *`] : []),
      ...(/catch\s*(\([^)]*\))?\s*\{\s*\}/.test(text) ? [`${path}: empty catch`] : []),
      ...(/\bconsole\.\w+\(/.test(text) && !PRINTING.some((allowed) => allowed.test(path)) ? [`${path}: console`] : []),
    ]);
    expect(breaches).toEqual([]);
  });

  test('[TID5] files are named after what they hold, and are small', () => {
    expect(tracked.filter((path) => FORBIDDEN_NAMES.test(path))).toEqual([]);
    expect(sources.filter(({ text }) => text.split('\n').length > LINES_LIMIT).map(({ path }) => path)).toEqual([]);
  });

  test('[TID9] no fixture registers a hook while it is loaded', () => {
    const fixtures = sources.filter(({ path }) => path.endsWith('.fixture.ts'));
    expect(fixtures.filter(({ text }) => /^(before|after)(Each|All)\(/m.test(text)).map(({ path }) => path)).toEqual(
      [],
    );
  });

  test('[TID6] every rule of SPEC.md, and every invariant of ARCHITECTURE.md, is cited by a test', () => {
    const cited = new Set(citations().map(({ rule }) => rule));
    expect(rules().length).toBeGreaterThan(300);
    expect(rules().filter((rule) => !cited.has(rule))).toEqual([]);
  });

  test('[TID6] every rule that a test cites is in one of them, once', () => {
    expect(citations().filter(({ rule }) => !rules().includes(rule))).toEqual([]);
    expect(rules().filter((rule, index, all) => all.indexOf(rule) !== index)).toEqual([]);
  });

  test('[TID7] dependencies are pinned exactly, and none of them needs an install script', () => {
    const manifests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*package.json'], {
      cwd: root,
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .map(
        (path) =>
          JSON.parse(read(path)) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> },
      );
    const ranges = manifests.flatMap((manifest) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }),
    );
    expect(ranges.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(read('.npmrc')).toContain('ignore-scripts=true');
  });
});

function wrongImports(path: string, text: string, member: string): string[] {
  const wrong: string[] = [];
  for (const name of importsOf(text)) {
    const target = name.startsWith('.')
      ? memberOf(normalize(join(dirname(path), name)))
      : MEMBER_OF_PACKAGE[packageOf(name)];
    if (target === undefined || target === null || target === member) continue;
    if (!DIRECTIONS[member]?.includes(target) || name.startsWith('.')) wrong.push(`${path} imports ${name}`);
  }
  return wrong;
}

/** Every file, with the files that it imports by a relative path. */
function fileGraph(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    shipped.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((name) => name.startsWith('.'))
        .map((name) => normalize(join(dirname(path), name)).replace(/\.js(x?)$/, '.ts$1')),
    ]),
  );
}

/** Everything that can reach itself. */
function inCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const reachesItself = (start: string): boolean => {
    const seen = new Set<string>();
    const queue = [...(graph.get(start) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (next === start) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(graph.get(next) ?? []));
    }
    return false;
  };
  return [...graph.keys()].filter(reachesItself);
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]!);
}

/** `@palimpsest/protocol/light` is of `@palimpsest/protocol`. */
function packageOf(name: string): string {
  return name.split('/').slice(0, 2).join('/');
}

function rules(): string[] {
  return [
    ...rulesIn(read('SPEC.md'), /^\*\*([A-Z]{2,3}\d+[a-z]?)\*\*/gm),
    ...rulesIn(read('ARCHITECTURE.md'), /^- \*\*(I\d) /gm),
  ];
}

/** In the names of tests, also where a fixture holds them for several files. */
function citations(): { readonly path: string; readonly rule: string }[] {
  return sources
    .filter(({ path }) => /\.(test|fixture)\.ts$/.test(path))
    .flatMap(({ path, text }) => rulesIn(text, /\[((?:[A-Z]{2,3}|I)\d+[a-z]?)\]/g).map((rule) => ({ path, rule })));
}

function rulesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}

function memberOf(path: string): string | null {
  const member = path.split('/').slice(0, 2).join('/');
  return Object.hasOwn(DIRECTIONS, member) ? member : null;
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
