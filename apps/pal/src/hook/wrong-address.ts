import type { HookReply } from '../agents/hook-event.js';
import { readHookAddress } from '../link/hook-address.js';

export const REWIRE_HINT =
  '`pal init --agent claude` makes its hooks programs again; with --http they get the port of the daemon';

/**
 * What a prompt is answered where the requests of Claude Code go past the daemon. Whoever they go to decides what it runs,
 * so it must not begin.
 */
export function wrongAddress(dataDir: string, port: number): HookReply | null {
  const address = readHookAddress(dataDir);
  if (address === null || address.port === port) return null;
  return {
    deny: `Palimpsest is not at port ${address.port}, where Claude Code asks about its tools; whoever is there would decide what runs. ${REWIRE_HINT}.`,
  };
}
