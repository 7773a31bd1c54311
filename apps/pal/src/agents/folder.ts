import { isAbsolute, join } from 'node:path';
import type { Surroundings } from '../surroundings/surroundings.js';

/** A folder in the user's home, unless a variable of the agent says where it is. */
export function folderIn(
  { variable, otherwise }: { readonly variable?: string; readonly otherwise: readonly string[] },
  ...below: readonly string[]
): (surroundings: Surroundings) => string {
  return ({ environment, home }) => {
    const told = variable === undefined ? undefined : environment[variable];
    return join(told !== undefined && isAbsolute(told) ? told : join(home, ...otherwise), ...below);
  };
}
