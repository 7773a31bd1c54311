import { isAbsolute, resolve } from 'node:path';
import { isNestedTooDeeply } from '@palimpsest/protocol/light';
import { dataDirectory, type Surroundings } from '../surroundings/surroundings.js';
import { Failure } from './failure.js';

/** What a command may know about where and how it was called. */
export type Face = {
  /** Where we are, or where -C points: absolute. */
  readonly directory: string;
  readonly format: 'text' | 'json';
  readonly surroundings: Surroundings;
  /** The folder with all of our data. */
  readonly data: string;
  /** A path as the user wrote it, seen from `directory`. */
  readonly resolve: (path: string) => string;
  /** The JSON document on standard input. */
  readonly input: () => Promise<unknown>;
  /** All of standard input, whatever it is. */
  readonly inputText: () => Promise<string>;
};

export type Called = {
  readonly directory: string | undefined;
  readonly format: 'text' | 'json';
  readonly surroundings: Surroundings;
  readonly stdin: () => Promise<string>;
};

export function faceOf({ directory, format, surroundings, stdin }: Called): Face {
  const absolute = placeOf(directory ?? '.');
  const home = surroundings.environment.PALIMPSEST_HOME ?? '';
  if (home !== '' && !isAbsolute(home)) throw relativeHome(home);
  return {
    directory: absolute,
    format,
    surroundings,
    data: dataDirectory(surroundings),
    resolve: (path) => {
      // An unset variable between quotes would mean the whole workspace.
      if (path === '') throw new Failure('usage', 'a path is empty', 'name a file or folder; `.` is this one');
      return isAbsolute(path) ? path : resolve(absolute, path);
    },
    input: async () => parseInput(await stdin()),
    inputText: stdin,
  };
}

/** Seen from where we are, which may be a folder that somebody has removed. */
function placeOf(directory: string): string {
  try {
    return resolve(directory);
  } catch {
    throw new Failure(
      'not-a-folder',
      'the folder that you are in is gone',
      'go to one that is there, or name one with -C DIR',
    );
  }
}

/** It would be another folder wherever a command is called. */
function relativeHome(home: string): Failure {
  return new Failure(
    'usage',
    `PALIMPSEST_HOME is ${JSON.stringify(home)}, and must be an absolute path`,
    'write all of it, from the root on, or leave it out',
  );
}

export function parseInput(text: string): unknown {
  if (text.trim() === '') throw badInput('nothing came in on standard input');
  if (isNestedTooDeeply(text)) throw badInput('standard input is nested too deeply');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badInput(`standard input is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw badInput('standard input is not a JSON object');
}

function badInput(message: string): Failure {
  return new Failure('bad-input', message, 'pipe one JSON object in; `--help` shows an example');
}
