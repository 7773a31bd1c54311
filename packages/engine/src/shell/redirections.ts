import type { Effect } from '@palimpsest/core';
import type { HereDoc, Redirect, Redirection } from 'unbash';
import { type Argument, expandWhole } from './words.js';

/** What the redirections of one command do, in order. */
export type Redirected = {
  readonly outputs: readonly { readonly target: Argument; readonly effect: Effect | null }[];
  /** The file that standard input comes from. */
  readonly input: Argument | null;
  /** The text that standard input comes from, where it is known; `true` for text that is not. */
  readonly here: string | true | null;
  /** Whether standard output still goes where it went. */
  readonly stdout: 'kept' | 'away';
  readonly setsVariable: boolean;
};

export function readRedirections(
  redirections: readonly Redirection[],
  vars: ReadonlyMap<string, string>,
  copiesInput: 'copies-input' | 'other',
): Redirected {
  const outputs: { target: Argument; effect: Effect | null }[] = [];
  let appends = false;
  let input: Argument | null = null;
  let here: string | true | null = null;
  let stdout: 'kept' | 'away' = 'kept';
  for (const redirection of redirections) {
    if (redirection.type === 'HereDoc') here = textOfHereDoc(redirection) ?? true;
    else if (redirection.type === 'HereString') here = true;
    else if (redirection.operator === '<') input = targetOf(redirection, vars);
    else if (writesFile(redirection)) {
      outputs.push({ target: targetOf(redirection, vars), effect: null });
      appends ||= redirection.operator.includes('>>');
      if (numberOf(redirection) === 1) stdout = 'away';
    }
  }
  const [only, ...others] = outputs;
  const isCopy = copiesInput === 'copies-input' && stdout === 'away' && others.length === 0 && !appends;
  if (isCopy && only !== undefined && typeof here === 'string')
    only.effect = { kind: 'replace-all-content', text: here };
  const setsVariable = redirections.some(({ descriptor }) => descriptor?.type === 'FileDescriptorVariable');
  return { outputs, input, here, stdout, setsVariable };
}

function targetOf(redirect: Redirect, vars: ReadonlyMap<string, string>): Argument {
  if (redirect.target === undefined) return { text: '', certain: false };
  const target = expandWhole(redirect.target, vars);
  // In zsh the `!` of `>! file` is part of the operator.
  return redirect.target.text.startsWith('!') ? { ...target, certain: false } : target;
}

/** `>&1`, `2>&-` and `<&3` only copy descriptors; `<>` makes a file that is not there. */
function writesFile(redirect: Redirect): boolean {
  if (redirect.operator === '<&') return false;
  return redirect.operator !== '>&' || !/^(\d+-?|-)$/.test(redirect.target?.text ?? '');
}

function numberOf(redirect: Redirect): number {
  if (redirect.operator === '<>') return 0;
  return redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : 1;
}

/** Without quotes around its delimiter the text is expanded, so it is known only if there is nothing to expand. */
function textOfHereDoc(here: HereDoc): string | null {
  const { body, delimiter } = here;
  if (delimiter?.quoted !== true && /[\\$`]/.test(body.text)) return null;
  return here.operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text;
}
