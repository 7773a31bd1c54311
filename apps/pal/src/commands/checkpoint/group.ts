import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: 'the whole tree at a moment: save, list, compare and restore',
  section: 'Keep',
};
