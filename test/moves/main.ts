import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Played, play } from './play.js';
import { shrink } from './shrink.js';
import { Table } from './table.js';

const HELP = `npm run moves -- [--steps 100000] [--seed N] [--world 400] [--keep-going] [--shrink] [--skip 1,2,5-9]
  --steps   how many steps in all        --world  steps in one world
  --seed    the first world's seed; the next worlds have the numbers after it
  --shrink  on a failure, leave out steps as long as it fails in the same way
  --skip    steps to leave out, as a shrunken failure names them`;

/** Plays world after world, prints what came how often, and stops at the first thing that does not hold. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      steps: { type: 'string', default: '10000' },
      seed: { type: 'string', default: `${Date.now() % 1_000_000_007}` },
      world: { type: 'string', default: '400' },
      skip: { type: 'string', default: '' },
      shrink: { type: 'boolean', default: false },
      'keep-going': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const [total, first, each] = [Number(values.steps), Number(values.seed), Number(values.world)];
  const skip = parseSkip(values.skip);
  const table = new Table();
  const begun = performance.now();
  let done = 0;
  let failures = 0;
  const summary = () => `${table.lines().join('\n')}\n\n${done} steps, ${failures} failures, first seed ${first}\n`;
  // Whoever breaks a long run off wants to know what it has come to.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      writeSync(1, summary());
      process.exit(130);
    });
  for (let seed = first; done < total; seed++) {
    const played = await play({ seed, steps: Math.min(each, total - done), skip });
    table.add(played.table);
    done += played.steps;
    const rate = Math.round(done / ((performance.now() - begun) / 1000));
    process.stdout.write(
      `seed ${seed}: ${played.failure === null ? 'held' : 'FAILED'} after ${played.steps} steps (${done} in all, ${rate} a second)\n`,
    );
    if (played.failure === null) continue;
    failures += 1;
    process.stdout.write(`${report(played)}\n`);
    if (values.shrink) {
      const kept = await shrink(played, skip);
      process.stdout.write(
        `\nshrunk to ${kept.steps} steps:\n${report(kept.played)}\nreplay: npm run moves -- --seed ${seed} --world ${played.steps} --steps ${played.steps} --skip ${kept.skip}\n`,
      );
    }
    if (!values['keep-going']) break;
  }
  process.stdout.write(summary());
  return failures === 0 ? 0 : 1;
}

const LAST_STEPS = Number(process.env.PAL_MOVES_LINES ?? 40);

export function report({ seed, failure }: Played): string {
  if (failure === null) return '';
  const { step, error, story } = failure;
  return [
    `seed ${seed}, step ${step}: ${error.message}`,
    ...(error.name === 'Error' && !('rule' in error) ? [error.stack ?? ''] : []),
    ...story.slice(-LAST_STEPS).map((line) => `  ${line.length > 700 ? `${line.slice(0, 700)}…` : line}`),
    `again: npm run moves -- --seed ${seed} --world ${step} --steps ${step}`,
  ].join('\n');
}

function parseSkip(text: string): ReadonlySet<number> {
  const steps = text
    .split(',')
    .filter(Boolean)
    .flatMap((part) => {
      const [from, to] = part.split('-').map(Number);
      return Array.from({ length: (to ?? from!) - from! + 1 }, (_, index) => from! + index);
    });
  return new Set(steps);
}
