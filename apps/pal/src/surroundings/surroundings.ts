import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Surroundings = {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
};

/** Faces read the environment; everything behind them is told. */
export function surroundings(): Surroundings {
  return { environment: process.env, platform: process.platform, home: homedir() };
}

/**
 * The folder for all that we keep: `PALIMPSEST_HOME`, or where the platform keeps the data of programs. A relative
 * value would mean another folder in every directory, and the XDG specification says to ignore one.
 */
export function dataDirectory({ environment, platform, home }: Surroundings): string {
  const chosen = absolute(environment.PALIMPSEST_HOME);
  if (chosen !== null) return chosen;
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'palimpsest');
    case 'win32':
      return join(absolute(environment.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'), 'palimpsest');
    default:
      return join(absolute(environment.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'palimpsest');
  }
}

function absolute(value: string | undefined): string | null {
  return value !== undefined && isAbsolute(value) ? value : null;
}
