import { expect, test } from 'vitest';
import { cases } from '../../../../test/search.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';
import type { World } from './memory-world.fixture.js';
import { noTally, playSequence } from './random-review.fixture.js';

const SEQUENCES = cases({ brief: 4, long: 30 });
const STEPS = 9;

/** The same sequences as in memory, with the real engine on the real disk. */
class DiskWorld implements World {
  readonly #on: Stage;

  constructor(on: Stage) {
    this.#on = on;
  }

  get verbs() {
    return this.#on.workspace;
  }

  text(path: string): string | null {
    return this.#on.read(path);
  }

  async human(path: string, text: string | null): Promise<void> {
    if (text === null) this.#on.remove(path);
    else this.#on.write(path, text);
    await this.#on.workspace.look();
  }

  async agent(session: string, path: string, text: string | null): Promise<void> {
    const agent = this.#on.agent(session);
    if (text === null) await agent.shell(`rm ${path}`);
    else {
      if (this.text(path) !== null) await agent.readFile(path);
      await agent.writeFile(path, text);
    }
  }

  async entries() {
    const found = await this.#on.workspace.changes({ status: 'all' });
    return found.ok ? found.value.filter(({ author }) => author.kind === 'agent') : [];
  }

  restart(): Promise<void> {
    return this.#on.reopen();
  }

  close(): Promise<void> {
    return this.#on.close();
  }
}

test('[REV3a] random sequences on the real disk', async () => {
  const tally = noTally();
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const world = new DiskWorld(await stage({ kind: 'plain' }));
    await playSequence(world, seed, STEPS, tally);
    await world.close();
  }
  expect(tally.rejected).toBeGreaterThan(SEQUENCES / 3);
});
