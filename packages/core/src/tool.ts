/** What a tool does, whatever its agent calls it. */
export type ToolAction = 'read' | 'write' | 'edit' | 'patch' | 'shell' | 'search' | 'list' | 'fetch' | 'delegate' | 'other';
