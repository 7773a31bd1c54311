import { expect, test } from 'vitest';
import type { Seat } from './seat.fixture.js';

/** What agents did is taken back, part of it and all of it, around what the human wrote. */
export function undoStories(at: () => Seat): void {
  test('[REV3a] one change in the middle is taken back, then the rest, and what the human wrote stays', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('both.txt', rows());
    const { checkpoint: start } = await seat.workspace.json<{ checkpoint: { id: string } }>('checkpoint', 'save');
    const ran = await seat.run('Edit three places.', [
      { calls: [read('both.txt')] },
      { calls: [edit('both.txt', 'row B', 'first')] },
      { calls: [edit('both.txt', 'row H', 'second')] },
      { calls: [edit('both.txt', 'row N', 'third')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(seat.workspace.read('both.txt')).toBe(rows({ B: 'first', H: 'second', N: 'third' }));
    seat.workspace.write('both.txt', rows({ B: 'first', H: 'second', N: 'third', T: HUMAN }));
    const [, middle] = await seat.changes('--path', 'both.txt');
    expect((await seat.workspace.pal('reject', middle!.id)).exit).toBe(0);
    expect(seat.workspace.read('both.txt')).toBe(rows({ B: 'first', N: 'third', T: HUMAN }));
    const restored = await seat.workspace.pal('checkpoint', 'restore', start.id, '--keep-mine');
    expect([restored.exit, restored.stderr]).toEqual([0, '']);
    expect(seat.workspace.read('both.txt')).toBe(rows({ T: HUMAN }));
  });
}

const HUMAN = 'by the human';

/** Twenty lines, some of them replaced. */
function rows(changed: Readonly<Record<string, string>> = {}): string {
  return 'A B C D E F G H I J K L M N O P Q R S T'
    .split(' ')
    .map((name) => `${changed[name] ?? `row ${name}`}\n`)
    .join('');
}
