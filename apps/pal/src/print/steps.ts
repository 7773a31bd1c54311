/** What the reader of a text can do next, in the words for it: a person types commands, a model calls tools. */
export type Steps = {
  readonly undo: string;
  readonly settle: string;
  readonly attribute: string;
  readonly saveCheckpoint: string;
  readonly nameCandidates: string;
  readonly listSessions: string;
  readonly showEnded: string;
};

export const COMMANDS: Steps = {
  undo: '`pal undo` takes this back',
  settle: '`pal conflicts` shows both sides, and how to settle it',
  attribute: '`pal attribute` it first',
  saveCheckpoint: '`pal checkpoint save -m "before the refactoring"` makes one',
  nameCandidates: '`pal show CHANGE` names the candidates',
  listSessions: '`pal session list`',
  showEnded: '`--session ID` shows one that ended',
};

export const TOOLS: Steps = {
  undo: 'pal_undo takes this back',
  settle: 'pal_changes with the status "conflict" lists them; which side stays is for the user to say',
  attribute: 'say first whose it is, with pal_attribute',
  saveCheckpoint: 'pal_checkpoint_save makes one',
  nameCandidates: 'pal_changes names the candidates',
  listSessions: 'pal_changes lists them',
  showEnded: 'one that ended is shown when it is named',
};
