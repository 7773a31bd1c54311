import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeDriver } from '../agents/claude.driver.fixture.js';
import { codexDriver } from '../agents/codex.driver.fixture.js';
import type { Driver } from '../agents/driver.fixture.js';
import { geminiDriver } from '../agents/gemini.driver.fixture.js';
import { opencodeDriver } from '../agents/opencode.driver.fixture.js';
import { nodeOf, programOf, withPrograms } from '../agents/programs.fixture.js';
import type { Step } from '../agents/scripted-model.fixture.js';
import { Seat } from '../agents/seat.fixture.js';
import { Editor } from './editor.fixture.js';

/** How an agent is started for an editor. None of them has our hooks or our plugin here. */
type UnderAcp = {
  readonly driver: Driver;
  readonly words: (program: string) => readonly string[];
  /** Whether it asks before it acts. One that does not cannot be refused, and may be done before we hear of it. */
  readonly asks: boolean;
};

const gemini: UnderAcp = {
  driver: geminiDriver,
  words: (program) => [process.execPath, program, '--acp', '-m', 'gemini-2.5-pro', '--skip-trust'],
  asks: true,
};

/** It asks for permission only where it is told to. */
const opencode: UnderAcp = {
  driver: {
    ...opencodeDriver,
    prepare: async (seat) => {
      await opencodeDriver.prepare(seat);
      const config = JSON.parse(seat.readHome('.config/opencode/opencode.json')) as object;
      const asking = { ...config, permission: { edit: 'ask', bash: 'allow' } };
      seat.homeFile('.config/opencode/opencode.json', JSON.stringify(asking));
    },
  },
  words: (program) => [program, 'acp'],
  asks: true,
};

type Adapter = Pick<UnderAcp, 'asks'> & {
  readonly spec: string;
  /** Says where the program is. */
  readonly variable: string;
  readonly more: Readonly<Record<string, string>>;
};

/** An agent behind an adapter, which starts the program that it is told of; its own copy of that stays on npm. */
async function adapted(driver: Driver, { spec, variable, more, asks }: Adapter): Promise<readonly UnderAcp[]> {
  const [program, node] = await Promise.all([programOf(driver), nodeOf('22')]);
  for (const part of [program, node])
    if ('missing' in part) process.stdout.write(`SKIPPED, ${driver.agent} under ACP: ${part.missing}\n`);
  if ('missing' in program || 'missing' in node) return [];
  const name = spec.slice(0, spec.lastIndexOf('@'));
  const behind: Driver = {
    ...driver,
    source: () => ({ specs: [spec], program: `${name}/dist/index.js`, omit: 'optional' }),
    environment: (seat) => ({ ...driver.environment(seat), [variable]: program.file, ...more }),
  };
  return [{ driver: behind, words: (file) => [node.file, file], asks }];
}

const claude = await adapted(claudeDriver, {
  spec: '@agentclientprotocol/claude-agent-acp@0.99.1',
  variable: 'CLAUDE_CODE_EXECUTABLE',
  // It would ask the model what the person may want to say next, and use up a step of the script.
  more: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' },
  asks: true,
});
const codex = await adapted(codexDriver, {
  spec: '@agentclientprotocol/codex-acp@2.6.0',
  variable: 'CODEX_PATH',
  more: {},
  asks: false,
});

const agents = await withPrograms([gemini, opencode, ...claude, ...codex]);

describe.each(agents)('$agent', ({ driver, program, words, asks }) => {
  describe.skipIf('missing' in program)('the real program, under ACP', () => {
    let seat: Seat;
    let editor: Editor;
    beforeAll(async () => {
      seat = await Seat.take(driver, 'file' in program ? program.file : '');
      editor = await Editor.open(seat.workspace, { words: words(seat.program), env: driver.environment(seat) });
      await seat.stockTaken();
    });
    afterAll(async () => {
      await editor?.leave();
      await seat?.leave();
    });

    const play = async (prompt: string, steps: readonly Step[]) => {
      seat.model.play([...steps, { text: 'done' }]);
      expect(await editor.prompt(prompt)).toMatchObject({ stopReason: 'end_turn' });
    };

    test('[AGT4b] what it edits and runs is recorded once, with its prompt', async () => {
      const { read, edit, shell } = driver.tools(seat);
      await play('Fix the add function.', [
        { calls: [read('src/app.js')] },
        { calls: [edit('src/app.js', '  return a - b', '  return a + b')] },
        { calls: [shell('echo from-shell >> hello.txt')] },
      ]);
      expect(seat.model.left).toBe(0);
      expect(seat.workspace.read('src/app.js')).toContain('a + b');
      const changes = await seat.changes('--status', 'all');
      expect(changes.map(({ path, kind }) => [path, kind])).toEqual([
        ['src/app.js', 'modify'],
        ['hello.txt', 'modify'],
      ]);
      for (const change of changes) {
        const { author, candidates = [] } = change;
        if (asks || author.kind === 'agent')
          expect(change).toMatchObject({ session: editor.sessionId, agent: driver.agent });
        else expect(candidates).toMatchObject([{ session: editor.sessionId, agent: driver.agent }]);
      }
      const { operations } = await seat.workspace.json<{ operations: { kind: string; text?: string }[] }>('log');
      const prompts = operations.filter(({ kind }) => kind === 'prompted').map(({ text }) => text);
      expect(prompts).toEqual(['Fix the add function.']);
    });

    if (asks)
      test('[AGT4c] [AGT4d] an outside change is not lost, and the next try, on what is there now, goes through', async () => {
        const { read, write, edit } = driver.tools(seat);
        const outside = 'one\ntwo\nTHREE\n';
        await play('Write notes.', [
          { calls: [read('notes.txt')] },
          { run: () => seat.workspace.put('notes.txt', outside), calls: [write('notes.txt', 'one\n2\nthree\n')] },
        ]);
        expect(seat.workspace.read('notes.txt')).toBe(outside);
        // Claude Code looks by itself.
        const why =
          driver.agent === 'claude'
            ? (driver.refuses?.changedWhole ?? '')
            : 'notes.txt has changed since you last saw it';
        // opencode ends the turn when it is refused a permission, and has no way to hear why.
        if (driver.agent === 'gemini') expect(seat.model.turns.at(-1)).toContain(why);
        else expect(JSON.stringify(editor.updates).includes(why), 'the editor hears why').toBe(true);
        await play('Again.', [{ calls: [read('notes.txt')] }, { calls: [edit('notes.txt', 'two', '2')] }]);
        expect(seat.model.left).toBe(0);
        expect(seat.workspace.read('notes.txt')).toBe('one\n2\nTHREE\n');
      });

    test('[AGT4b] its session ends when it exits', async () => {
      expect(await editor.leave()).toBe(0);
      const { sessions } = await seat.workspace.json<{ sessions: { id: string; state: string }[] }>('session', 'list');
      expect(sessions).toMatchObject([{ id: editor.sessionId, agent: driver.agent, state: 'ended' }]);
    });

    // The hooks of Codex are for its user to trust, which nobody can do here.
    if (asks)
      test('[AGT4b] with its hooks in place too, each thing is still recorded once', async () => {
        const { read, edit } = driver.tools(seat);
        await seat.init();
        editor = await Editor.open(seat.workspace, { words: words(seat.program), env: driver.environment(seat) });
        await play('Once more.', [{ calls: [read('notes.txt')] }, { calls: [edit('notes.txt', 'one', '1')] }]);
        await editor.leave();
        expect(seat.workspace.read('notes.txt')).toBe('1\n2\nTHREE\n');
        const changes = await seat.changes('--session', editor.sessionId, '--status', 'all');
        expect(changes.map(({ path, author }) => [path, author.kind])).toEqual([['notes.txt', 'agent']]);
        const { operations } = await seat.workspace.json<{ operations: { kind: string; session?: string }[] }>('log');
        const own = operations.filter(({ session }) => session === editor.sessionId).map(({ kind }) => kind);
        expect(own.filter((kind) => kind === 'prompted')).toHaveLength(1);
        // In the background the checkpoint of its last turn is saved and its transcript read; both may come after the end.
        const background = ['checkpoint-saved', 'transcript-read', 'message-added'];
        expect(own.filter((kind) => !background.includes(kind)).at(-1)).toBe('session-ended');
        expect(own.filter((kind) => kind === 'session-ended')).toHaveLength(1);
      });
  });
});
