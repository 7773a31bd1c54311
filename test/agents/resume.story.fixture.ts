import { expect, test } from 'vitest';
import type { Seat } from './seat.fixture.js';

/** What is known of a session outlives the agent's process; and what it should hear comes with the prompt. */
export function resumeStories(at: () => Seat): void {
  test('[FRE5a] with the prompt comes what changed meanwhile, and what waits for review', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('mine.txt', 'one\n');
    seat.workspace.write('theirs.txt', 'one\n');
    await seat.run('First part.', [
      { calls: [read('mine.txt')] },
      { calls: [edit('mine.txt', 'one', 'uno')] },
      { calls: [read('theirs.txt')] },
      { text: 'done' },
    ]);
    seat.workspace.write('theirs.txt', 'one\nchanged between runs\n');
    const ran = await seat.run('Second part.', [{ calls: [edit('theirs.txt', 'one', 'uno')] }, { text: 'done' }], {
      resume: true,
    });
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const [first, last] = seat.model.turns;
    expect(first).toContain('theirs.txt has changed since you last saw it');
    expect(first).toContain('Your changes that wait for review: mine.txt (1 change, +1 −1)');
    expect(last).toContain('Nothing was edited. Read theirs.txt again');
    expect(seat.workspace.read('theirs.txt')).toBe('one\nchanged between runs\n');
    const [mine] = await seat.changes('--path', 'mine.txt');
    const sessions = await seat.workspace.json<{ sessions: readonly { id: string }[] }>('session', 'list');
    expect(sessions.sessions.filter(({ id }) => id === mine!.session)).toHaveLength(1);
  });
}

/** For an agent that takes up no session without a terminal: what the last one saw, this one has not seen. */
export function newSessionStories(at: () => Seat): void {
  test('[FRE4a] what the session before read and somebody changed since is not edited unread', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('between.txt', 'one\n');
    await seat.run('Read it.', [{ calls: [read('between.txt')] }, { text: 'done' }]);
    seat.workspace.write('between.txt', 'one\nchanged between runs\n');
    const ran = await seat.run('Edit it.', [{ calls: [edit('between.txt', 'one', 'uno')] }, { text: 'done' }]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(seat.model.turns.at(-1)).toContain('between.txt exists and has not been read in this session');
    expect(seat.workspace.read('between.txt')).toBe('one\nchanged between runs\n');
  });
}

export function mentionStories(at: () => Seat): void {
  test('[FRE8b] a file that the prompt mentions counts as read', async () => {
    const seat = at();
    const { edit } = seat.driver.tools(seat);
    seat.workspace.write('mentioned.txt', 'one\n');
    await seat.run('Look at @mentioned.txt please.', [
      { calls: [edit('mentioned.txt', 'one', 'uno')] },
      { text: 'done' },
    ]);
    expect(seat.workspace.read('mentioned.txt')).toBe('uno\n');
  });
}
