import { step as anyCommand } from './any-command.js';
import { step as edit } from './edit.js';
import { step as freshness } from './freshness.js';
import { step as records } from './records.js';
import { step as refusal } from './refusal.js';
import { step as restore } from './restore.js';
import { step as review } from './review.js';
import { step as shell } from './shell.js';
import type { Step } from './step.js';
import { step as workspace } from './workspace.js';

/** The demo, in the order in which it is played. */
export const STEPS: readonly Step[] = [
  workspace,
  edit,
  shell,
  refusal,
  freshness,
  records,
  review,
  restore,
  anyCommand,
];
