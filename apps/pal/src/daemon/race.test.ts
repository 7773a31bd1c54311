import { once } from 'node:events';
import { expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { cases } from '../../../../test/search.fixture.js';
import { isAlive } from '../link/discovery.js';
import { must } from './app.fixture.js';
import { Household, readDiscovery } from './process.fixture.js';

const ROUNDS = cases({ brief: 4, long: 50 });
const AT_ONCE = 4;

/** Two daemons set out at the same moment, and two faces that each have a call to tell. */
async function race(): Promise<void> {
  const house = new Household();
  try {
    const daemons = [house.spawnDaemon(), house.spawnDaemon()];
    const ends = daemons.map((daemon) => once(daemon, 'exit'));
    const tell = async (callId: string) => {
      const client = await house.client();
      must(await client.beginCall({ body: { session: 's', callId, tool: 'Bash', input: { command: 'make' } } }));
      return must(await client.endCall({ body: { session: 's', callId } }));
    };
    const told = await Promise.all([tell('a'), tell('b')]);
    expect(told.map(({ known }) => known)).toEqual([true, true]);
    const { pid } = readDiscovery(house.dataDir)!;
    expect(house.count('started')).toBe(1);
    const losers = daemons.filter((daemon) => daemon.pid !== pid);
    for (const loser of losers) expect((await ends[daemons.indexOf(loser)])![0]).toBe(0);
    const client = await house.client({ start: 'never' });
    const { operations } = must(await client.listOperations());
    const calls = (kind: string) =>
      new Set(operations.filter((operation) => operation.kind === kind).map((operation) => operation.call));
    expect(calls('call-began')).toEqual(new Set(['a', 'b']));
    expect(calls('call-ended')).toEqual(new Set(['a', 'b']));
    must(await client.shutdown());
    await until(() => !isAlive(pid));
    expect(house.count('stopped')).toBe(1);
  } finally {
    await house.close();
  }
}

test(`[SRV5c] of two daemons that race to start, ${ROUNDS} times over, exactly one wins and no call is lost`, async () => {
  let left = ROUNDS;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await race();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
});

test('[SRV5c] of twenty faces that find no daemon at once, all are served by one', async () => {
  const house = new Household();
  try {
    const clients = await Promise.all(Array.from({ length: 20 }, () => house.client()));
    const pids = new Set(await Promise.all(clients.map(async (client) => must(await client.health()).pid)));
    expect(pids.size).toBe(1);
    expect(house.count('started')).toBe(1);
  } finally {
    await house.close();
  }
});
