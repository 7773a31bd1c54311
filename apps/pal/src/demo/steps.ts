import type { Step } from './step.js';
import { step as anyCommand } from './steps/any-command.js';
import { step as edit } from './steps/edit.js';
import { step as freshness } from './steps/freshness.js';
import { step as records } from './steps/records.js';
import { step as refusal } from './steps/refusal.js';
import { step as restore } from './steps/restore.js';
import { step as review } from './steps/review.js';
import { step as shell } from './steps/shell.js';
import { step as workspace } from './steps/workspace.js';

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
