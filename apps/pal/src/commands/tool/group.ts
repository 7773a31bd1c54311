import type { CommandGroup } from '../../command.js';

export const group: CommandGroup = {
  summary: 'what an agent says before and after each of its tool calls',
  section: 'Agents',
};
