import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: 'what an agent says before and after each of its tool calls',
  section: 'Agents',
};
