import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = { summary: 'folders of their own that sessions work in', section: 'Agents' };
