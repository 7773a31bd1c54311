import { forEachChild, type SyntaxNode } from 'unbash';
import type { ShellState } from './state.js';

/**
 * What a loop may change from one round to the next, as a function that forgets it: the variables it sets, and the folder
 * if it moves. `break` and `continue` make any point of the body a possible end of a round.
 */
export function changesOfLoop(loop: SyntaxNode, state: ShellState): (state: ShellState) => void {
  const names = new Set<string>();
  let all = state.functions.size > 0;
  let moves = all;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') names.add(node.name);
    else if (node.type === 'For' || node.type === 'Select') names.add(node.name.value);
    else if (node.type === 'ParameterExpansion' && node.operation?.operator.includes('=') === true)
      names.add(node.parameter);
    else if (node.type.startsWith('Arithmetic') || node.type === 'Function') all = true;
    else if (node.type === 'Command') {
      const command = node.name?.value ?? '';
      if (SETS_ANYTHING.has(command)) all = true;
      if (MOVES.has(command) || node.name?.parts !== undefined) moves = true;
    }
    // A shell of its own changes nothing outside.
    if (node.type !== 'Subshell' && node.type !== 'Script') forEachChild(node, visit);
  };
  visit(loop);
  return (target) => {
    if (all) target.vars.clear();
    for (const name of names) target.vars.delete(name);
    if (moves) target.cwds = null;
  };
}

const SETS_ANYTHING = new Set(
  'read mapfile readarray getopts let unset printf declare typeset local eval source . export'.split(' '),
);
const MOVES = new Set('cd pushd popd eval source . builtin command'.split(' '));
