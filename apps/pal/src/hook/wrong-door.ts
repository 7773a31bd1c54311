import type { HookReply } from '../agents/hook-event.js';
import { readHookDoor } from '../link/hook-door.js';

export const OTHER_DOOR =
  '`pal init --agent claude` makes its hooks programs again; with --http they get the port of the daemon';

/**
 * What a prompt is answered where the requests of Claude Code go past the daemon. Whoever they go to decides what it runs,
 * so it must not begin.
 */
export function wrongDoor(dataDir: string, port: number): HookReply | null {
  const door = readHookDoor(dataDir);
  if (door === null || door.port === port) return null;
  return {
    deny: `Palimpsest is not at port ${door.port}, where Claude Code asks about its tools; whoever is there would decide what runs. ${OTHER_DOOR}.`,
  };
}
