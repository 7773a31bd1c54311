import { expect, test } from 'vitest';
import { patch } from './codex.driver.fixture.js';
import { PATCHING_MODEL } from './opencode.driver.fixture.js';
import type { ModelCall } from './scripted-model.fixture.js';
import type { Seat } from './seat.fixture.js';

const SECTIONS =
  '*** Update File: patched.txt\n@@\n-one\n+uno\n*** Add File: added.txt\n+new\n*** Delete File: gone.txt';

/** Agents that change several files in one call. */
export function patchStories(at: () => Seat): void {
  test('[AGT1b] a patch of several files is one change for each, all of one call', async () => {
    const seat = at();
    const { read } = seat.driver.tools(seat);
    seat.workspace.write('patched.txt', 'one\ntwo\n');
    seat.workspace.write('gone.txt', 'bye\n');
    const call: ModelCall =
      seat.agent === 'codex'
        ? patch(SECTIONS)
        : { name: 'apply_patch', input: { patchText: `*** Begin Patch\n${SECTIONS}\n*** End Patch` } };
    const ran = await seat.run(
      'Patch them.',
      [{ calls: [read('patched.txt'), read('gone.txt')] }, { calls: [call] }, { text: 'done' }],
      { model: PATCHING_MODEL },
    );
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const id = seat.model.made.at(-1)!.id;
    const changes = await seat.changes('--call', seat.driver.callId(id)!);
    expect(changes.map(({ path, kind, tool }) => `${kind} ${path} ${tool}`).sort()).toEqual([
      'create added.txt apply_patch',
      'delete gone.txt apply_patch',
      'modify patched.txt apply_patch',
    ]);
  });
}

export function codexStories(at: () => Seat): void {
  test('[FRE4a] a patch through the shell is guarded as one', async () => {
    const seat = at();
    const { shell, read } = seat.driver.tools(seat);
    seat.workspace.write('heredoc.txt', 'one\n');
    const through = (sections: string) =>
      shell(`apply_patch <<'EOF'\n*** Begin Patch\n${sections}\n*** End Patch\nEOF\n`);
    await seat.run('Patch it through the shell.', [
      { calls: [through('*** Update File: heredoc.txt\n@@\n-one\n+uno')] },
      { calls: [read('heredoc.txt')] },
      { calls: [through('*** Update File: heredoc.txt\n@@\n-one\n+eins')] },
      { text: 'done' },
    ]);
    expect(seat.model.turns.at(1)).toContain('heredoc.txt exists and has not been read in this session');
    expect(seat.workspace.read('heredoc.txt')).toBe('eins\n');
    const changes = await seat.changes('--path', 'heredoc.txt');
    expect(changes).toMatchObject([{ tool: 'apply_patch', callId: seat.model.made[2]!.id }]);
  });

  test('[FRE3b] after compaction nothing it saw is visible; a change meanwhile is denied after resuming', async () => {
    const seat = at();
    const { read, edit, shell } = seat.driver.tools(seat);
    seat.workspace.write('compacted.txt', 'one\ntwo\n');
    const first = await seat.run('Read it.', [
      { calls: [read('compacted.txt')] },
      { calls: [shell('echo long')], tokens: 90_000 },
      { text: 'done' },
    ]);
    expect(first.exit).toBe(0);
    expect(await seat.visible('compacted.txt')).toEqual([false]);
    seat.workspace.write('compacted.txt', 'one\nTWO\n');
    await seat.run('Edit it.', [{ calls: [edit('compacted.txt', 'one', 'uno')] }, { text: 'done' }], { resume: true });
    expect(seat.model.turns.at(-1)).toContain('Nothing was edited. Read compacted.txt again');
    expect(seat.workspace.read('compacted.txt')).toBe('one\nTWO\n');
  });

  test('[AGT1e] doctor asks Codex itself whether its hooks are approved', async () => {
    const seat = at();
    const codex = { PATH: `${seat.program.slice(0, seat.program.lastIndexOf('/'))}:${seat.environment.PATH}` };
    const ran = await seat.user.pal(['doctor'], {
      cwd: seat.workspace.root,
      env: { ...seat.driver.environment(seat), ...codex },
    });
    expect(ran.stdout).toContain('Codex skips 6 of our 6 hooks, because you have not approved them');
    expect(ran.stdout).toContain('/hooks');
  });
}
