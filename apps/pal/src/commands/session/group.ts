import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = { summary: 'runs of agents: start, end, name and look at them', section: 'Agents' };
