import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withPrograms } from '../agents/programs.fixture.js';
import { Seat } from '../agents/seat.fixture.js';
import { claude, codex } from './real-clients.fixture.js';

const FIELDS = ['hook_event_name', 'session_id', 'cwd', 'tool_name', 'tool_use_id', 'tool_input'];

function hooks(agent: string): string {
  const group = (fields: readonly string[]) => {
    const input = { agent, ...Object.fromEntries(fields.map((field) => [field, `$\{${field}}`])) };
    return [
      { matcher: '.*', hooks: [{ type: 'mcp_tool', server: 'palimpsest', tool: 'pal_hook', input, timeout: 20 }] },
    ];
  };
  // Codex leaves out a hook that names a field which the event does not have, and lets the call run.
  return JSON.stringify({ hooks: { PreToolUse: group(FIELDS), PostToolUse: group([...FIELDS, 'tool_response']) } });
}

const clients = await withPrograms([
  { ...claude, file: '.claude/settings.json' },
  { ...codex, file: '.codex/hooks.json' },
]);

describe.each(clients)('$agent', ({ driver, file, program }) => {
  describe.skipIf('missing' in program)('the real program', () => {
    let seat: Seat;
    beforeAll(async () => {
      seat = await Seat.take(driver, 'file' in program ? program.file : '');
      seat.workspace.write(file, hooks(seat.agent));
    });
    afterAll(() => seat?.leave());

    test('[AGT2f] its hooks come through the server: an edit is recorded, a stale one denied with the reason', async () => {
      const { read, edit } = driver.tools(seat);
      await seat.run('go', [
        { calls: [read('notes.txt')] },
        { calls: [edit('notes.txt', 'two', '2')] },
        { run: () => seat.workspace.put('notes.txt', 'one\n2\nTHREE\n'), calls: [edit('notes.txt', '2', 'II')] },
        { text: 'done' },
      ]);
      expect(seat.workspace.read('notes.txt')).toBe('one\n2\nTHREE\n');
      expect(seat.model.requests.some((request) => request.includes('has changed since you last saw it'))).toBe(true);
      expect(await seat.changes()).toMatchObject([
        { path: 'notes.txt', agent: seat.agent, tool: driver.named.edit, evidence: 'exact' },
      ]);
    });
  });
});
