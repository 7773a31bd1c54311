import { statSync, utimesSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { AGENT_NAMES, AGENTS } from '../agents/agents.js';
import { SILENCE, UNCHECKED } from '../agents/hook-event.js';
import type { HookGroup } from '../agents/target.js';
import { askRunning, type HookCall } from './ask-hook.js';
import { daemon } from './daemon.fixture.js';
import { patienceFor, untilOf } from './deadlines.js';
import { missedFile, noteMissed, readMissed, sinceMissMs } from './missed.js';
import { missedRemarks } from './missed-remark.js';
import { projectDirectory } from './project-directory.js';
import { startAndAsk } from './start-and-ask.js';

let data: string;
beforeEach(() => {
  data = newFolder();
});

const call = (event: string, stdin = '{"session_id":"s"}'): HookCall => ({
  agent: 'codex',
  event,
  stdin,
  data,
  environment: {},
  cwd: '/here',
  until: Date.now() + 60_000,
  otherwise: SILENCE,
});

describe('a hook', () => {
  test('[AGT3d] says what the daemon says', async () => {
    const { heard } = await daemon(data, () => ({ body: '{"deny":"stale"}' }));
    expect(await askRunning(call('PreToolUse'))).toEqual({ exit: 2, stdout: '', stderr: 'stale\n' });
    expect(heard.map(({ body }) => JSON.parse(body))).toEqual([{ directory: '/here', payload: { session_id: 's' } }]);
  });

  test('[AGT3d] leaves it to the whole program when there is no daemon, an older one, or one that goes', async () => {
    expect(await askRunning(call('PreToolUse'))).toBeNull();
    await daemon(data, () => ({ status: 503 }));
    expect(await askRunning(call('PreToolUse'))).toBeNull();
    await daemon(data, () => ({ body: '{}' }), '0.0.1');
    expect(await askRunning(call('PreToolUse'))).toBeNull();
  });

  test.each([
    ['an error', { status: 500, body: '{"error":{}}' }],
    ['nonsense', { status: 200, body: '<html>' }],
  ])('[AGT3b] %s is silence, and is noted', async (_, answer) => {
    await daemon(data, () => answer);
    expect(await askRunning(call('PostToolUse'))).toEqual(SILENCE);
    expect(readMissed(data, 0)).toMatchObject([{ agent: 'codex', event: 'PostToolUse', directory: '/here' }]);
  });

  test('[AGT3a] no answer is silence in bounded time, or a failure where the user wants that', async () => {
    await daemon(data, () => null);
    noteMissed(data, { at: new Date().toISOString(), agent: 'claude', event: 'Stop', directory: '/', why: 'before' });
    expect(await askRunning({ ...call('PostToolUse'), otherwise: UNCHECKED })).toEqual(UNCHECKED);
  });

  test('[SEC4h] a payload that is not JSON reaches the daemon as such, and harms nobody', async () => {
    const { heard } = await daemon(data, (body) => ({ status: body.endsWith('nonsense}') ? 400 : 200, body: '{}' }));
    expect(await askRunning(call('PreToolUse', 'nonsense'))).toEqual(SILENCE);
    expect(await askRunning(call('PreToolUse', ''))).toEqual(SILENCE);
    expect(heard.map(({ body }) => body)).toEqual([
      '{"directory":"/here","payload":nonsense}',
      '{"directory":"/here","payload":null}',
    ]);
  });

  test('[AGT3a] what decides is waited for, what does not is not after a miss', () => {
    const never = Number.POSITIVE_INFINITY;
    expect([patienceFor('PreToolUse', 0), patienceFor('PreToolUse', never)]).toEqual([2000, 2000]);
    expect([patienceFor('PostToolUse', 0), patienceFor('PostToolUse', never)]).toEqual([300, 1500]);
    expect(sinceMissMs(data)).toBe(never);
  });

  test('[AGT3f] a daemon is not waited for past the deadline of the agent, however long it would be waited for', async () => {
    const { heard } = await daemon(data, () => ({ body: '{}' }));
    const until = Date.now() + 700;
    await askRunning({ ...call('PreToolUse'), until });
    expect(heard[0]!.deadline).toBeLessThanOrEqual(until);
  });

  test('[AGT3f] a process of ours that was there before says until when; nobody gets more than the agent allows', () => {
    const until = (told?: string) => untilOf('cline', told === undefined ? {} : { PAL_UNTIL_MS: told }, 1_000_000);
    expect([until(), until('1000500'), until('9999999'), until('soon')]).toEqual([
      1_001_800, 1_000_500, 1_001_800, 1_001_800,
    ]);
  });

  test('[AGT3f] when the time is over before a daemon could be started, the agent goes on, and it is noted', async () => {
    expect(await startAndAsk({ ...call('PreToolUse'), until: Date.now() - 1 })).toEqual(SILENCE);
    expect(readMissed(data, 0)).toMatchObject([{ agent: 'codex', event: 'PreToolUse' }]);
  });

  test.each(AGENT_NAMES)('[AGT3f] %s: the deadline is below its own limit, and below what its files say', (name) => {
    const { waits, wiring } = AGENTS[name];
    expect(waits.deadlineMs).toBeLessThan(waits.limitMs ?? Number.POSITIVE_INFINITY);
    expect(waits.deadlineMs).toBeGreaterThanOrEqual(1_500);
    const wired = { scope: 'user', folder: '/f', data: '/d', strictness: 'strict', address: null } as const;
    const command = (event: string) => `pal hook ${name} ${event}`;
    const targets = wiring({ ...wired, pal: ['pal'], command, program: command });
    const limits = targets.flatMap((target) => (target.kind === 'hooks' ? target.groups.map(limitOf) : []));
    const unit = name === 'gemini' || name === 'qwen' ? 1 : 1000;
    for (const limit of limits) expect(limit * unit).toBeGreaterThan(waits.deadlineMs);
    for (const target of targets)
      if (target.kind === 'own-file') expect(target.text).toContain(`{"deadlineMs":${waits.deadlineMs}}`);
  });

  test('[AGT3b] misses are told for the workspace they were in, and the file stays small', () => {
    const at = new Date().toISOString();
    for (let index = 0; index < 2_000; index++)
      noteMissed(data, { at, agent: 'claude', event: 'Stop', directory: `/w/${index % 2}`, why: 'x'.repeat(50) });
    expect(statSync(missedFile(data)).size).toBeLessThan(80 * 1024);
    expect(missedRemarks(data, '/w/1')).toEqual([expect.stringContaining('events of agents got no answer in time')]);
    expect(missedRemarks(data, '/w')).toHaveLength(1);
    expect(missedRemarks(data, '/other')).toEqual([]);
    expect(readMissed(data, Date.now() + 1000)).toEqual([]);
    utimesSync(missedFile(data), 0, 0);
    expect(sinceMissMs(data)).toBeGreaterThan(1e9);
  });

  test('[AGT3b] one miss takes little of the file, whatever the agent says, and is still told', () => {
    const long = 'x'.repeat(1_000_000);
    const missed = { agent: long, event: long, directory: `/w/${long}`, why: long };
    noteMissed(data, { at: new Date().toISOString(), ...missed });
    expect(statSync(missedFile(data)).size).toBeLessThan(8 * 1024);
    expect(missedRemarks(data, '/w')).toEqual([expect.stringMatching(/^one event of an agent got no answer/)]);
  });

  test('[AGT1b] the folder is where the agent says that its project is', () => {
    const both = { CLAUDE_PROJECT_DIR: '/c', GEMINI_PROJECT_DIR: '/g' };
    expect(['claude', 'gemini', 'codex', 'opencode'].map((agent) => projectDirectory(agent, both, '/cwd'))).toEqual([
      '/c',
      '/g',
      '/cwd',
      '/cwd',
    ]);
    expect(projectDirectory('claude', { CLAUDE_PROJECT_DIR: 'relative' }, '/cwd')).toBe('/cwd');
  });
});

function limitOf({ group }: HookGroup): number {
  return (group.hooks as readonly [{ readonly timeout: number }])[0].timeout;
}
