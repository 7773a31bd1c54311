import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeDriver } from './claude.driver.fixture.js';
import { programOf } from './programs.fixture.js';
import { Seat } from './seat.fixture.js';

const program = programOf('claude');
if ('missing' in program) process.stdout.write(`SKIPPED: ${program.missing}\n`);

describe.skipIf('missing' in program)('Claude Code', () => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await Seat.take(claudeDriver, (program as { file: string }).file);
    await seat.init();
  });
  afterAll(() => seat?.leave());

  test('[AGT1] try', async () => {
    const { read, edit, write, shell } = claudeDriver.tools(seat);
    const ran = await seat.run('Fix the add function.', [
      { calls: [read('src/app.js')] },
      { calls: [edit('src/app.js', 'a - b', 'a + b')] },
      { calls: [write('NEW.md', '# new\n')] },
      { calls: [shell('echo from-shell >> hello.txt')] },
      { calls: [shell('exit 3')] },
      { calls: [read('notes.txt')] },
      { run: () => seat.workspace.write('notes.txt', 'ONE\ntwo\nthree\n'), calls: [edit('notes.txt', 'two', 'zwei')] },
      { calls: [read('notes.txt')] },
      { calls: [edit('notes.txt', 'two', 'zwei')] },
      { text: 'done' },
    ]);
    process.stdout.write(`${ran.exit} ${ran.stdout.slice(-2000)}\n${ran.stderr}\n`);
    process.stdout.write(
      `${JSON.stringify(
        (await seat.changes('--status', 'all')).map(({ path, tool, callId, kind, session, evidence }) => ({
          path,
          tool,
          callId,
          kind,
          session,
          evidence,
        })),
        null,
        1,
      )}\n`,
    );
    process.stdout.write(seat.model.requests.at(7)!.slice(-1500));
    expect(ran.exit).toBe(0);
  });
});
