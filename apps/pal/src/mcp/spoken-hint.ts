import type { RefusalCode } from '@palimpsest/protocol';
import type { ConnectFailure } from '../link/connect.js';

/**
 * The hint of a failure for a model that has tools and no shell of ours. What people are told to type is said here in
 * tools, and left out where there is none: what only a person can mend, the model is to tell that person.
 */
export function spokenHint(code: string, hint: string | undefined): string | undefined {
  const spoken = (SPOKEN as Readonly<Record<string, string | undefined>>)[code];
  if (spoken !== undefined) return spoken;
  return hint !== undefined && TYPED.test(hint) ? undefined : hint;
}

const TELL = 'tell the user, who can ask the doctor of Palimpsest what is wrong';

const SPOKEN: Partial<Record<RefusalCode | ConnectFailure['error']['code'] | 'data-directory', string>> = {
  outside: 'name a file inside it',
  'unknown-session': 'pal_status names those that are active',
  'unknown-change': 'pal_changes with the status "all" lists them',
  'unknown-checkpoint': 'pal_checkpoint_list lists them',
  'bad-id': 'pal_changes and pal_checkpoint_list say which ids there are',
  'no-space': 'tell the user that the disk is full, then do it again',
  damaged: TELL,
  busy: 'try again',
  internal: TELL,
  'not-installed': TELL,
  'not-running': TELL,
  'did-not-start': TELL,
  'newer-daemon': TELL,
  'data-directory': TELL,
};

/** A command, an option or a variable of the environment. */
const TYPED = /`pal |(?:^|\s)-{1,2}[A-Za-z]|\b[A-Z]+_[A-Z]+\b/;
