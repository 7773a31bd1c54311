import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { AGENT_NAMES, type AgentName } from '../agents/agents.js';
import type { Scope } from '../agents/target.js';
import { findAgents } from './found.js';
import type { WireOptions } from './targets.js';
import { readWired } from './wired.js';
import { unwire, wire } from './wiring.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
  for (const name of ['home', 'workspace']) mkdirSync(join(folder, name));
});

const options = (scope: Scope = 'user', strictness: WireOptions['strictness'] = 'lenient'): WireOptions => ({
  surroundings: { environment: { PATH: join(folder, 'bin') }, platform: 'linux', home: join(folder, 'home') },
  data: join(folder, 'data'),
  workspace: join(folder, 'workspace'),
  scope,
  strictness,
  address: null,
});

/** Every file and folder below, with what is in it. */
function picture(): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name);
    seen[path.slice(folder.length + 1)] = item.isFile()
      ? readFileSync(path, 'utf8')
      : item.isSymbolicLink()
        ? 'link'
        : 'folder';
  }
  return seen;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const get = (path: string) => readFileSync(join(folder, path), 'utf8');

/** What users have in these files, as they wrote it. */
const EXISTING: Readonly<Record<string, string>> = {
  'home/.claude/settings.json':
    '{\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [\n            {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine hook claude x"}]}\n        ]\n    }\n}',
  'home/.codex/hooks.json': '{"hooks":{}}\n',
  'home/.gemini/settings.json': '{\n\t// my theme\n\t"ui": { "theme": "x" },\n}\n',
  'home/.config/opencode/opencode.jsonc': '{\n  "plugin": ["other"], // mine\n}\n',
  'home/.cline/data/settings.json': '{}',
};

describe('pal init', () => {
  test.each([
    ['nothing there', {}],
    ['with what users have', EXISTING],
  ])('[AGT1a] %s: wired twice is wired once, and --remove puts every byte back', (_, files) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    const before = picture();
    wire(AGENT_NAMES, options(), 'do');
    const wired = picture();
    wire(AGENT_NAMES, options(), 'do');
    expect(picture()).toEqual(wired);
    unwire(AGENT_NAMES, options(), 'do');
    const { data: ___, ...after } = picture();
    expect(after).toEqual(before);
  });

  test('[AGT1a] what is there stays in place, order, indentation and comments', () => {
    for (const [path, text] of Object.entries(EXISTING)) put(path, text);
    wire(AGENT_NAMES, options(), 'do');
    for (const [path, text] of Object.entries(EXISTING)) {
      const lines = get(path)
        .split('\n')
        .map((line) => line.trim().replace(/,$/, ''));
      for (const line of text.split('\n').map((each) => each.trim().replace(/,$/, '')))
        if (!/^[{}[\]]*$/.test(line) && !line.includes('"plugin"') && !line.includes('{"hooks":{}}'))
          expect(lines).toContain(line);
    }
    expect(get('home/.gemini/settings.json')).toContain('// my theme');
    expect(get('home/.config/opencode/opencode.jsonc')).toMatch(
      /"plugin": \["other", "file:\/\/.*palimpsest-opencode\.js"\], \/\/ mine/,
    );
  });

  test('[AGT1a] after the user changed the file too, only ours goes', () => {
    put('home/.claude/settings.json', '{\n  "a": 1\n}\n');
    wire(['claude'], options(), 'do');
    put('home/.claude/settings.json', get('home/.claude/settings.json').replace('"a": 1', '"a": 2'));
    unwire(['claude'], options(), 'do');
    expect(get('home/.claude/settings.json')).toBe('{\n  "a": 2\n}\n');
  });

  test('[AGT1a] a dry run says the same and writes nothing', () => {
    put('home/.codex/hooks.json', '{}');
    const before = picture();
    const pretended = wire(AGENT_NAMES, options(), 'pretend');
    expect(picture()).toEqual(before);
    expect(wire(AGENT_NAMES, options(), 'do')).toEqual(pretended);
  });

  test.each<[AgentName, string, string]>([
    ['claude', 'home/.claude/settings.json', 'not json'],
    ['codex', 'home/.codex/hooks.json', '{"hooks": []}'],
    ['cline', 'home/.cline/plugins/palimpsest.js', 'export default mine'],
    ['opencode', 'home/.config/opencode/opencode.json', '[1]'],
  ])('[AGT1a] %s: a file that cannot be merged into is left alone, and the agent with it', (agent, path, text) => {
    put(path, text);
    const before = picture();
    const [done] = wire([agent], options(), 'do');
    expect(done!.obstacles.map(({ path: where }) => where)).toEqual([join(folder, path)]);
    expect(picture()).toEqual(before);
  });

  test('[AGT1a] a linked settings file stays a link', () => {
    put('dotfiles/claude.json', '{}\n');
    mkdirSync(join(folder, 'home/.claude'));
    symlinkSync(join(folder, 'dotfiles/claude.json'), join(folder, 'home/.claude/settings.json'));
    wire(['claude'], options(), 'do');
    expect(lstatSync(join(folder, 'home/.claude/settings.json')).isSymbolicLink()).toBe(true);
    expect(get('dotfiles/claude.json')).toContain('hook claude PreToolUse');
    unwire(['claude'], options(), 'do');
    expect(get('dotfiles/claude.json')).toBe('{}\n');
  });

  test('[AGT1a] nothing goes into the workspace unless it is to be shared', () => {
    wire(AGENT_NAMES, options(), 'do');
    expect(readdirSync(join(folder, 'workspace'))).toEqual([]);
    wire(AGENT_NAMES, options('shared'), 'do');
    const shared = Object.entries(picture()).filter(
      ([path, text]) => path.startsWith('workspace/') && text !== 'folder',
    );
    expect(shared.map(([path]) => path).sort()).toEqual([
      'workspace/.claude/settings.json',
      'workspace/.cline/plugins/palimpsest.js',
      'workspace/.codex/hooks.json',
      'workspace/.gemini/settings.json',
      'workspace/.opencode/plugin/palimpsest.js',
      'workspace/.qwen/settings.json',
    ]);
    for (const [, text] of shared) expect(text).not.toContain(process.execPath);
    unwire(AGENT_NAMES, options('shared'), 'do');
    expect(readdirSync(join(folder, 'workspace'))).toEqual([]);
  });

  test('[AGT3e] a shared hook does nothing where there is no pal', () => {
    wire(['claude'], options('shared'), 'do');
    const { hooks } = JSON.parse(get('workspace/.claude/settings.json')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const { command } = hooks.PreToolUse![0]!.hooks[0]!;
    expect(execFileSync('/bin/sh', ['-c', command], { env: { PATH: '/nowhere' }, encoding: 'utf8' })).toBe('');
  });

  test('[AGT3c] strict: an edit waits for us, the rest does not', () => {
    wire(['claude'], options('user', 'lenient'), 'do');
    wire(['claude'], options('user', 'strict'), 'do');
    const { hooks } = JSON.parse(get('home/.claude/settings.json')) as {
      hooks: Record<string, { matcher?: string; hooks: { command: string; onFailure?: string }[] }[]>;
    };
    const before = hooks.PreToolUse!.map(({ matcher, hooks: [hook] }) => [
      matcher,
      hook!.onFailure,
      hook!.command.endsWith('--strict'),
    ]);
    expect(before).toEqual([
      ['Edit|MultiEdit|Write|NotebookEdit', 'block', true],
      ['Read|Bash|PowerShell|mcp__.*', undefined, false],
    ]);
    unwire(['claude'], options(), 'do');
    expect(existsSync(join(folder, 'home/.claude'))).toBe(false);
  });

  test.each(['lenient', 'strict'] as const)(
    '[AGT1d] %s over HTTP: only tools are asked about, and it goes as it came',
    (strictness) => {
      put('home/.claude/settings.json', EXISTING['home/.claude/settings.json']!);
      const overHttp = { ...options('user', strictness), address: { port: 4000, token: 'key' } };
      wire(['claude'], overHttp, 'do');
      const written = get('home/.claude/settings.json');
      const { hooks } = JSON.parse(written) as { hooks: Record<string, { hooks: Record<string, unknown>[] }[]> };
      const asked = Object.entries(hooks).flatMap(([event, groups]) =>
        groups.flatMap((group) => group.hooks.filter(({ type }) => type === 'http').map((hook) => ({ event, hook }))),
      );
      expect(new Set(asked.map(({ event }) => event))).toEqual(
        new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']),
      );
      for (const { event, hook } of asked) {
        expect(hook).toMatchObject({
          url: `http://127.0.0.1:4000/v1/http-hooks/claude/${event}`,
          headers: { authorization: 'Bearer key' },
        });
      }
      expect(asked.filter(({ hook }) => hook.onFailure === 'block')).toHaveLength(strictness === 'strict' ? 1 : 0);
      wire(['claude'], overHttp, 'do');
      expect(get('home/.claude/settings.json')).toBe(written);
      expect(readWired('claude', overHttp)).toEqual({ state: 'yes', gone: null, address: overHttp.address });
      // Back to commands, and away.
      wire(['claude'], options(), 'do');
      expect(get('home/.claude/settings.json')).not.toContain('"http"');
      expect(readWired('claude', overHttp)).toEqual({ state: 'yes', gone: null, address: null });
      unwire(['claude'], options(), 'do');
      expect(get('home/.claude/settings.json')).toBe(EXISTING['home/.claude/settings.json']);
    },
  );

  test('[AGT1d] a file that is made for a token is closed to others; one that was there keeps its mode', () => {
    const mode = () => statSync(join(folder, 'home/.claude/settings.json')).mode & 0o777;
    const overHttp = { ...options(), address: { port: 4000, token: 'key' } };
    wire(['claude'], overHttp, 'do');
    expect(mode()).toBe(0o600);
    unwire(['claude'], overHttp, 'do');
    put('home/.claude/settings.json', '{}\n');
    chmodSync(join(folder, 'home/.claude/settings.json'), 0o644);
    wire(['claude'], overHttp, 'do');
    expect(mode()).toBe(0o644);
  });

  test('[AGT1a] agents are found by their program, their folder at home, and their folder in the workspace', () => {
    const found = () => findAgents(options().surroundings, join(folder, 'workspace')).map(({ agent }) => agent);
    expect(found()).toEqual([]);
    put('bin/codex', '');
    expect(found()).toEqual([]);
    execFileSync('chmod', ['+x', join(folder, 'bin/codex')]);
    mkdirSync(join(folder, 'home/.gemini'));
    mkdirSync(join(folder, 'workspace/.claude'));
    expect(found()).toEqual(['claude', 'codex', 'gemini']);
  });
});
