import { statSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Seat } from './seat.fixture.js';

const TEXT = 'one\ntwo\nthree\n';
const OUTSIDE = 'one\ntwo\nTHREE\n';
const UNREAD = 'has not been read in this session';
const CHANGED = 'has changed since you last saw it';

/** Every situation in which the agents' own guards lose somebody's work or may: with us nothing is lost, and it is told. */
export function staleStories(at: () => Seat): void {
  test('[FRE4a] no outside change is lost, however the agent would have treated it', async () => {
    const seat = at();
    const { read, edit, write } = seat.driver.tools(seat);
    const { changedWhole, touched } = seat.driver.refuses ?? {};
    for (const name of ROWS) seat.workspace.write(name, TEXT);
    const change = (name: string) => () => seat.workspace.write(name, OUTSIDE);
    const ran = await seat.run('Edit them all.', [
      { calls: [edit('unread.txt', 'one', 'EDIT')] },
      { calls: [write('unseen.txt', 'OVERWRITTEN')] },
      { calls: [read('elsewhere.txt')] },
      { run: change('elsewhere.txt'), calls: [edit('elsewhere.txt', 'one', 'EDIT')] },
      { calls: [read('whole.txt')] },
      { run: change('whole.txt'), calls: [write('whole.txt', 'OVERWRITTEN')] },
      { calls: [read('dated.txt')] },
      { run: () => changeBehindItsDate(seat, 'dated.txt'), calls: [write('dated.txt', 'OVERWRITTEN')] },
      { calls: [read('touched.txt')] },
      { run: () => touch(seat, 'touched.txt'), calls: [edit('touched.txt', 'one', 'EDIT')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(ROWS.map((name) => seat.workspace.read(name))).toEqual([
      TEXT,
      TEXT,
      OUTSIDE,
      OUTSIDE,
      OUTSIDE,
      touched === undefined ? 'EDIT\ntwo\nthree\n' : TEXT,
    ]);
    const told = seat.model.turns.at(-1)!;
    expect(told).toContain(`unread.txt exists and ${UNREAD}`);
    expect(told).toContain(`unseen.txt exists and ${UNREAD}`);
    expect(told).toContain(`elsewhere.txt ${CHANGED}`);
    expect(told).toContain(`dated.txt ${CHANGED}`);
    expect(told).toContain(changedWhole ?? `whole.txt ${CHANGED}`);
    if (touched !== undefined) expect(told).toContain(touched);
    expect(told).toContain('-three');
    expect(told).not.toContain(`touched.txt ${CHANGED}`);
  });

  test('[FRE4a] denied, it reads again and edits what is there now', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('again.txt', TEXT);
    await seat.run('Edit it twice.', [
      { calls: [read('again.txt')] },
      { run: () => seat.workspace.write('again.txt', OUTSIDE), calls: [edit('again.txt', 'one', 'EDIT')] },
      { calls: [read('again.txt')] },
      { calls: [edit('again.txt', 'one', 'EDIT')] },
      { text: 'done' },
    ]);
    expect(seat.workspace.read('again.txt')).toBe('EDIT\ntwo\nTHREE\n');
    const changes = await seat.changes('--status', 'all', '--path', 'again.txt');
    expect(changes.map(({ author }) => author.kind).slice(-2)).toEqual([expect.not.stringMatching('agent'), 'agent']);
  });

  test('[FRE5a] a change behind its back is told with the next result of a tool, and once', async () => {
    const seat = at();
    const { read, shell } = seat.driver.tools(seat);
    seat.workspace.write('notice.txt', TEXT);
    await seat.run('Look around.', [
      { calls: [read('notice.txt')] },
      { run: () => seat.workspace.write('notice.txt', OUTSIDE), calls: [shell('echo looking')] },
      { calls: [shell('echo again')] },
      { text: 'done' },
    ]);
    const [, , third, last] = seat.model.turns;
    expect(third).toContain(`notice.txt ${CHANGED}`);
    expect(last!.split(`notice.txt ${CHANGED}`)).toHaveLength(2);
  });
}

const ROWS = ['unread.txt', 'unseen.txt', 'elsewhere.txt', 'whole.txt', 'dated.txt', 'touched.txt'] as const;

/** As `touch -r` does: the date says that nothing happened. */
function changeBehindItsDate(seat: Seat, name: string): void {
  const { atime, mtime } = statSync(seat.path(name));
  seat.workspace.write(name, OUTSIDE);
  utimesSync(seat.path(name), atime, mtime);
}

function touch(seat: Seat, name: string): void {
  const now = new Date();
  utimesSync(seat.path(name), now, now);
}
