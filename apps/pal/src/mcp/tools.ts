import {
  checkpointDiffTool,
  checkpointListTool,
  checkpointSaveTool,
  restoreApplyTool,
  restorePlanTool,
} from './tools/checkpoints.js';
import { diffTool } from './tools/diff.js';
import { editTool } from './tools/edit.js';
import { hookTool } from './tools/hook.js';
import { contextTool, openedTool, openTool, patchesTool } from './tools/open-files.js';
import { readTool } from './tools/read.js';
import { acceptTool, attributeTool, blameTool, rejectTool, undoTool } from './tools/review.js';
import { searchTool } from './tools/search.js';
import { acknowledgeTool, changesTool, logTool, noteReadTool, staleTool, statusTool } from './tools/status.js';
import type { Tool } from './tools/tool.js';
import { writeTool } from './tools/write.js';

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  statusTool,
  changesTool,
  diffTool,
  staleTool,
  blameTool,
  logTool,
  searchTool,
  openedTool,
  openTool,
  patchesTool,
  contextTool,
  checkpointSaveTool,
  checkpointListTool,
  checkpointDiffTool,
  restorePlanTool,
  restoreApplyTool,
  acceptTool,
  rejectTool,
  attributeTool,
  undoTool,
  noteReadTool,
  acknowledgeTool,
  readTool,
  editTool,
  writeTool,
  hookTool,
];
