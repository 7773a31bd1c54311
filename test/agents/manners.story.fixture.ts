import { expect, test } from 'vitest';
import type { Seat } from './seat.fixture.js';

/** What a person sees of us in the agent and in the log beside what was done. */
export function mannersStories(at: () => Seat): void {
  test('[AGT1f] [AGT1g] [AGT1h] a denial is no failure of a hook, the prompt is as it was written, and the session ends', async () => {
    const seat = at();
    const { edit } = seat.driver.tools(seat);
    seat.workspace.write('manners.txt', 'one\ntwo\n');
    const prompt = 'Say "one" as\\n it is <b>written</b>.';
    const ran = await seat.run(prompt, [{ calls: [edit('manners.txt', 'one', 'EDIT')] }, { text: 'done' }]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);

    const told = seat.model.turns.at(-1)!;
    expect(told).toContain('manners.txt exists and has not been read in this session');
    expect(told).not.toContain('hook.sh');
    expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/hook\b[^.\n]{0,80}\bfailed|failed[^.\n]{0,80}\bhook\b|hook\.sh/i);

    const { operations } = await seat.workspace.json<{ operations: readonly Prompted[] }>('log');
    const prompted = operations.filter(({ kind }) => kind === 'prompted');
    expect(prompted.at(-1)!.text).toBe(prompt);
    const { sessions } = await seat.workspace.json<{ sessions: readonly { id: string; state: string }[] }>(
      'session',
      'list',
    );
    const state = seat.driver.saysGoodbye ? 'ended' : 'active';
    expect(sessions.find(({ id }) => id === prompted.at(-1)!.session)).toMatchObject({ state });
  });
}

type Prompted = { readonly kind: string; readonly session: string; readonly text?: string };
