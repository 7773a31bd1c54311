import type { ScriptedAgent } from './agent.js';
import type { Stage } from './stage.js';

/** What a step can do: act on the stage, and tell the audience. */
export type Scene = {
  readonly stage: Stage;
  readonly agent: ScriptedAgent;
  readonly tell: Telling;
};

export type Telling = {
  /** A sentence or two to the audience. */
  readonly say: (text: string) => Promise<void>;
  /** What somebody on the stage does. */
  readonly act: (who: 'agent' | 'human' | 'pal', text: string) => Promise<void>;
  /** What somebody is told, word for word. */
  readonly quote: (text: string) => Promise<void>;
  /** A command line, which is run, and what it prints. */
  readonly command: (line: readonly string[]) => Promise<void>;
};

/** One part of the demo. Each can count on those before it, and leaves the stage so that the next can go on. */
export type Step = { readonly title: string; readonly play: (scene: Scene) => Promise<void> };
