import { Ansis } from 'ansis';

/** The few colours we use, by meaning. */
export type Paint = Readonly<
  Record<'added' | 'removed' | 'good' | 'bad' | 'careful' | 'name' | 'quiet' | 'strong', (text: string) => string>
>;

export type ColourWish = {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** https://no-color.org: any non-empty NO_COLOR means none, whatever else is set. */
export function wantsColour({ isTerminal, environment }: ColourWish): boolean {
  if ((environment.NO_COLOR ?? '') !== '') return false;
  return isTerminal && environment.TERM !== 'dumb';
}

export function paintFor(wish: ColourWish): Paint {
  const colours = new Ansis(wantsColour(wish) ? 2 : 0);
  return {
    added: (text) => colours.green(text),
    removed: (text) => colours.red(text),
    good: (text) => colours.green(text),
    bad: (text) => colours.red.bold(text),
    careful: (text) => colours.yellow(text),
    name: (text) => colours.cyan(text),
    quiet: (text) => colours.dim(text),
    strong: (text) => colours.bold(text),
  };
}
