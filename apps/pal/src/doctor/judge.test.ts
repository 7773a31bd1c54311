import { describe, expect, test } from 'vitest';
import { judgeAddress, judgeWired } from './agents.js';
import {
  type DaemonReading,
  type DataReading,
  judgeDaemon,
  judgeData,
  judgeGit,
  judgeNode,
  judgeWatching,
} from './judge.js';

const MIB = 1024 * 1024;
const healthy: DataReading = {
  state: 'writable',
  directory: '/d',
  freeBytes: 9000 * MIB,
  fileTimeSkewMs: 4,
  openToOthers: false,
};
const states = (reading: DataReading) => judgeData(reading).map(({ check, state }) => `${check} ${state}`);

describe('doctor', () => {
  test.each<[string, Partial<Parameters<typeof judgeAddress>[0]>, readonly string[]]>([
    ['all is well', {}, []],
    ['no daemon runs', { daemonPort: null }, []],
    ['the daemon is elsewhere', { daemonPort: 2 }, ['wrong']],
    ['a proxy is in the way', { proxy: 'HTTP_PROXY' }, ['wrong']],
    ['others can read the token', { openFile: '/f' }, ['careful']],
  ])('[INT1c] hooks that are requests: %s', (_, reading, expected) => {
    const found = judgeAddress({ port: 1, daemonPort: 1, proxy: null, openFile: null, ...reading });
    expect(found.map(({ state }) => state)).toEqual(expected);
    for (const { remedy } of found) expect(remedy).toMatch(/./);
  });

  test('[AGT4g] of Gemini CLI it says what hooks do not see in an editor, and what does', () => {
    const wired = { state: 'yes', gone: null, address: null, scope: 'user' } as const;
    expect(judgeWired('gemini', wired, null).message).toMatch(
      /over ACP, it runs no tool hooks: .*`pal acp -- gemini --acp`/,
    );
    expect(judgeWired('claude', wired, null).message).not.toContain('ACP');
  });

  test.each([
    ['2.30.0', 'ok'],
    ['2.39.5', 'ok'],
    ['3.0.1', 'ok'],
    ['2.29.9', 'wrong'],
    ['1.99.0', 'wrong'],
    ['nonsense', 'wrong'],
  ])('[INT1c] git %s is %s', (version, state) => expect(judgeGit({ version }).state).toBe(state));

  test('[INT1c] a missing git is wrong', () => expect(judgeGit({ missing: 'ENOENT' }).state).toBe('wrong'));

  test.each([
    ['v20.19.0', 'ok'],
    ['v26.1.0', 'ok'],
    ['v20.18.3', 'wrong'],
    ['v18.20.0', 'wrong'],
  ])('[INT1c] Node %s is %s', (version, state) => expect(judgeNode(version).state).toBe(state));

  test.each<[string, Partial<DataReading>, readonly string[]]>([
    ['healthy', {}, ['data ok', 'disk ok', 'clock ok']],
    ['nearly full', { freeBytes: 500 * MIB }, ['data ok', 'disk careful', 'clock ok']],
    ['full', { freeBytes: 10 * MIB }, ['data ok', 'disk wrong', 'clock ok']],
    ['clock behind', { fileTimeSkewMs: 5000 }, ['data ok', 'disk ok', 'clock wrong']],
    ['clock ahead', { fileTimeSkewMs: -5000 }, ['data ok', 'disk ok', 'clock wrong']],
    ['readable by others', { openToOthers: true }, ['data careful', 'disk ok', 'clock ok']],
  ])('[INT1c] data directory: %s', (_, change, expected) =>
    expect(states({ ...healthy, ...change } as DataReading)).toEqual(expected),
  );

  test('[INT1c] a data directory that cannot be written is all there is to say', () => {
    expect(states({ state: 'refused', directory: '/d', why: 'EACCES' })).toEqual(['data wrong']);
  });

  test.each([
    [100, 'ok'],
    [800, 'ok'],
    [801, 'wrong'],
    [5000, 'wrong'],
  ])('[INT1c] %d folders against 1000 watches: %s', (folders, state) => {
    expect(judgeWatching({ limit: 1000, folders, counted: 'all' }).state).toBe(state);
  });

  test.each<[DaemonReading, string]>([
    [{ state: 'absent' }, 'ok'],
    [{ state: 'answers', pid: 7, version: '1.0.0' }, 'ok'],
    [{ state: 'answers', pid: 7, version: '0.9.0' }, 'careful'],
    [{ state: 'stale', file: '/d/daemon.json', pid: 7 }, 'wrong'],
    [{ state: 'silent', file: '/d/daemon.json', pid: 7, why: 'timeout' }, 'wrong'],
  ])('[INT1c] daemon %j is %s', (reading, state) => expect(judgeDaemon(reading, '1.0.0').state).toBe(state));

  test('[INT1c] whatever is not ok comes with a remedy', () => {
    const checks = [
      judgeGit({ missing: 'ENOENT' }),
      judgeGit({ version: '2.1.0' }),
      judgeNode('v18.0.0'),
      ...judgeData({ state: 'refused', directory: '/d', why: 'EACCES' }),
      ...judgeData({ ...healthy, freeBytes: 0, fileTimeSkewMs: 9999, openToOthers: true } as DataReading),
      judgeWatching({ limit: 1, folders: 2, counted: 'at-least' }),
      judgeDaemon({ state: 'silent', file: '/f', pid: 1, why: 'timeout' }, '1.0.0'),
    ];
    expect(checks.filter(({ state, remedy }) => state === 'ok' || (remedy ?? '') === '')).toEqual([]);
  });
});
