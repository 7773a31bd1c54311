import { afterAll, beforeAll, describe } from 'vitest';
import { claudeStories } from './claude.story.fixture.js';
import {
  forkStories,
  joinedStories,
  midTurnStories,
  noForkStories,
  turnsOnlyStories,
} from './conversation.story.fixture.js';
import { allDrivers } from './drivers.fixture.js';
import { httpStories } from './http.story.fixture.js';
import { busyMachine } from './load.fixture.js';
import { mannersStories } from './manners.story.fixture.js';
import { codexStories, patchStories } from './patch.story.fixture.js';
import { withPrograms } from './programs.fixture.js';
import { killedStories, recordStories } from './records.story.fixture.js';
import { mentionStories, newSessionStories, resumeStories } from './resume.story.fixture.js';
import { Seat } from './seat.fixture.js';
import { staleStories } from './stale.story.fixture.js';
import { firstCallStories, manyFiles, truthStories } from './truth.story.fixture.js';
import { undoStories } from './undo.story.fixture.js';
import { ownWorktreeStory, pairStory, worktreeStories } from './worktree.story.fixture.js';

// One agent after the other, in one file: each of them takes a machine of two cores for itself.
const agents = await withPrograms((await allDrivers()).map((driver) => ({ driver })));

describe.each(agents)('$agent', ({ driver, program }) => {
  describe.skipIf('missing' in program)('the real program', () => {
    let seat: Seat;
    beforeAll(async () => {
      seat = await Seat.take(driver, 'file' in program ? program.file : '');
      await seat.init();
    });
    afterAll(() => seat?.leave());

    recordStories(() => seat);
    killedStories(() => seat);
    staleStories(() => seat);
    undoStories(() => seat);
    worktreeStories(() => seat);
    mannersStories(() => seat);
    describe('on a busy machine', () => {
      let rest: () => void;
      beforeAll(() => {
        rest = busyMachine();
      });
      afterAll(() => rest?.());

      truthStories(() => seat);
      firstCallStories(async (git) => {
        const untracked = manyFiles();
        const place = git === 'git' ? { untracked } : { untracked, git: false as const };
        const fresh = await Seat.take(driver, 'file' in program ? program.file : '', place);
        await fresh.wire();
        return fresh;
      });
    });
    (driver.resumes ? resumeStories : newSessionStories)(() => seat);
    joinedStories(() => seat);
    if (driver.agent === 'cline') noForkStories(() => seat);
    else forkStories(() => seat);
    if (driver.agent === 'claude') midTurnStories(() => seat);
    else if (driver.agent !== 'cline') turnsOnlyStories(() => seat);
    if (driver.mentions) mentionStories(() => seat);
    if (driver.agent === 'codex' || driver.agent === 'opencode') patchStories(() => seat);
    if (driver.agent === 'claude') {
      claudeStories(() => seat);
      ownWorktreeStory(() => Seat.take(driver, 'file' in program ? program.file : ''));
    }
    if (driver.agent === 'codex') codexStories(() => seat);
  });
});

const claude = agents[0]!;
describe.skipIf('missing' in claude.program)('claude over HTTP', () => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await Seat.take(claude.driver, 'file' in claude.program ? claude.program.file : '');
    await seat.init('--http');
  });
  afterAll(() => seat?.leave());

  recordStories(() => seat);
  staleStories(() => seat);
  httpStories(() => seat);
});

const codex = agents.find(({ agent }) => agent === 'codex')!;
describe.skipIf('missing' in claude.program || 'missing' in codex.program)('claude and codex at once', () => {
  let [first, second]: Seat[] = [];
  beforeAll(async () => {
    first = await Seat.take(claude.driver, 'file' in claude.program ? claude.program.file : '');
    second = await Seat.take(codex.driver, 'file' in codex.program ? codex.program.file : '', { beside: first });
    await first.init();
    await second.init();
  });
  afterAll(async () => {
    await second?.leave();
    await first?.leave();
  });

  pairStory(
    () => first!,
    () => second!,
  );
});
