import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withPrograms } from '../agents/programs.fixture.js';
import { Seat } from '../agents/seat.fixture.js';
import { claude, codex, gemini, opencode } from './real-clients.fixture.js';

const clients = await withPrograms([claude, codex, gemini, opencode]);

describe.each(clients)('$agent', ({ program, ...client }) => {
  describe.skipIf('missing' in program)('the real program', () => {
    let seat: Seat;
    beforeAll(async () => {
      seat = await Seat.take(client.driver, 'file' in program ? program.file : '');
    });
    afterAll(() => seat?.leave());

    const call = (tool: string, input: object) => ({ calls: [{ name: client.toolName(tool), input }] });
    const edit = (old_string: string, new_string: string) => ({ path: 'notes.txt', old_string, new_string });

    test('[AGT2a] reads and edits through our tools; a stale edit is refused and the model is told why', async () => {
      const ran = await seat.run('go', [
        call('pal_read', { path: 'notes.txt' }),
        call('pal_edit', edit('two', '2')),
        { run: () => seat.workspace.put('notes.txt', 'one\n2\nTHREE\n'), ...call('pal_edit', edit('one', '1')) },
        { text: 'done' },
      ]);
      expect(ran.exit, ran.stderr).toBe(0);
      expect(seat.workspace.read('notes.txt'), ran.stdout).toBe('one\n2\nTHREE\n');
      expect(seat.model.requests.some((request) => request.includes('has changed since you last saw it'))).toBe(true);
      const changes = await seat.changes();
      expect(changes).toMatchObject([{ path: 'notes.txt', tool: 'Edit', evidence: 'exact' }]);
      expect(changes[0]!.agent).toMatch(client.names);
    });

    test('[AGT2h] what our tools answer is handed to the model, and not refused for its shape', async () => {
      seat.workspace.put('notes.txt', 'one\n2\nTHREE\nfour\n');
      const ran = await seat.run('go', [
        call('pal_read', { path: 'notes.txt' }),
        { run: () => seat.workspace.put('notes.txt', 'one\n2\nTHREE\nFOUR\n'), ...call('pal_stale', {}) },
        call('pal_changes', { status: 'all' }),
        call('pal_status', {}),
        { text: 'done' },
      ]);
      expect([ran.exit, seat.model.left], ran.stderr).toEqual([0, 0]);
      const told = seat.model.turns.at(-1)!;
      expect(told).toContain('notes.txt has changed since you last saw it');
      expect(told).not.toMatch(/-32602|output schema|[Ss]tructured content/);
    });

    test('[AGT2d] with its hooks in place too, each change is still recorded once, in the session of the hooks', async () => {
      await seat.init();
      seat.workspace.put('notes.txt', 'one\ntwo\nthree\n');
      await seat.run('go', [
        call('pal_read', { path: 'notes.txt' }),
        call('pal_edit', edit('three', '3')),
        { text: 'done' },
      ]);
      expect(seat.workspace.read('notes.txt')).toBe('one\ntwo\n3\n');
      const all = await seat.changes('--status', 'all', '--path', 'notes.txt');
      expect(all.filter(({ author }) => author.kind === 'agent')).toHaveLength(2);
      expect(all.at(-1)).toMatchObject({ author: { kind: 'agent' }, evidence: 'exact' });
      const { sessions } = await seat.workspace.json<{ sessions: { id: string; agent: string }[] }>('session', 'list');
      expect(sessions.find(({ id }) => id === all.at(-1)!.session)?.agent).toBe(seat.agent);
    });
  });
});
