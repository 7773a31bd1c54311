import { afterAll, expect, test } from 'vitest';
import { must, Stage } from './app.fixture.js';
import { isDaemonIdle, isWorkspaceIdle } from './idleness.js';

const stage = new Stage();
afterAll(() => stage.close());
const limits = { daemonMs: 1_000, workspaceMs: 2_000, sessionMs: 60_000 };

async function host() {
  const client = stage.client(stage.makeRoot());
  const id = must(await client.workspaceId());
  const hosted = stage.workspaces.listOpen().find(({ workspace }) => workspace.id === id)!;
  return { client, hosted, later: (ms: number) => Date.now() + ms };
}

const idle = (hosted: Awaited<ReturnType<typeof host>>['hosted'], now: number) =>
  isDaemonIdle({ inFlight: 0, lastAt: Date.now(), open: [hosted] }, now, limits);

test('[SRV5d] a daemon that nobody asks stops after its time, and not before', async () => {
  const { hosted, later } = await host();
  expect([idle(hosted, later(900)), idle(hosted, later(1_100))]).toEqual([false, true]);
});

test('[SRV5d] a daemon does not stop while it is answering, or while somebody listens', async () => {
  const { hosted, later } = await host();
  expect(isDaemonIdle({ inFlight: 1, lastAt: 0, open: [] }, later(9_000), limits)).toBe(false);
  const leave = hosted.enter();
  expect(idle(hosted, later(9_000))).toBe(false);
  leave();
  expect(idle(hosted, later(9_000))).toBe(true);
});

test('[SRV5d] a session at work keeps the daemon and its workspace, until it ends or is silent for long', async () => {
  const { client, hosted, later } = await host();
  must(await client.beginCall({ body: { session: 's', callId: '1', tool: 'Bash', input: { command: 'sleep 1d' } } }));
  expect([idle(hosted, later(50_000)), isWorkspaceIdle(hosted, later(50_000), limits)]).toEqual([false, false]);
  expect([idle(hosted, later(70_000)), isWorkspaceIdle(hosted, later(70_000), limits)]).toEqual([true, true]);
  must(await client.endSession({ params: { session: 's' } }));
  expect([idle(hosted, later(50_000)), isWorkspaceIdle(hosted, later(50_000), limits)]).toEqual([true, true]);
});
