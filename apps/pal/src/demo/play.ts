import type { Narrator } from '../print/narrator.js';
import type { Environment } from '../surroundings/surroundings.js';
import { ScriptedAgent } from './agent.js';
import { Stage } from './stage.js';
import type { Telling } from './step.js';
import { STEPS } from './steps.js';

export type Played = { readonly steps: readonly string[]; readonly commands: number; readonly tookMs: number };

export type PlayOptions = {
  readonly environment: Environment;
  /** Null plays without telling. */
  readonly narrator: Narrator | null;
  /** Columns for what the commands print; null when nobody looks on a terminal. */
  readonly columns: number | null;
};

/** Signals on which the stage is cleared away before we go. */
const LEAVING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Plays every step on a stage of its own, which is gone afterwards, also after Ctrl-C. */
export async function play({ environment, narrator, columns }: PlayOptions): Promise<Played> {
  const began = Date.now();
  const stage = new Stage(environment, columns);
  for (const [signal, exit] of Object.entries(LEAVING)) {
    process.on(signal, () => {
      stage.strike();
      process.exit(exit);
    });
  }
  try {
    const counted = { commands: 0 };
    const tell = tellingOf(stage, narrator, counted);
    const agent = new ScriptedAgent(stage, 'demo');
    for (const step of STEPS) {
      await narrator?.step(step.title, STEPS.length);
      await step.play({ stage, agent, tell });
    }
    return { steps: STEPS.map(({ title }) => title), commands: counted.commands, tookMs: Date.now() - began };
  } finally {
    stage.strike();
  }
}

function tellingOf(stage: Stage, narrator: Narrator | null, counted: { commands: number }): Telling {
  return {
    say: async (text) => narrator?.say(text),
    act: async (who, text) => narrator?.act(who, text),
    quote: async (text) => narrator?.quote(text),
    async command(words) {
      counted.commands += 1;
      const { exit, stdout, stderr } = await stage.pal(words);
      if (exit !== 0) throw new Error(`pal ${words.join(' ')} ended with ${exit}: ${stderr}${stdout}`);
      await narrator?.command(`pal ${words.map(quoted).join(' ')}`, `${stdout}${stderr}`);
    },
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`;
}
