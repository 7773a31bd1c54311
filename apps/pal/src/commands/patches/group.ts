import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: 'what agents’ calls did to files, call by call: list, show, clear',
  section: 'Look',
};
