import type { Client } from '@palimpsest/protocol';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';
import { sessionNamed } from '../face/session-named.js';
import { harmless } from '../print/harmless.js';

export const command: CommandFile = {
  summary: 'tell an agent something about a file, or about lines of it',
  section: 'Keep',
  details: 'The agent hears it with its next message or tool result, until it has said that it heard.',
  examples: [
    { line: "pal comment src/app.ts:12 'this must not be negative'", does: 'tells whoever changed the file last' },
    { line: "pal comment src/app.ts:12-20 'simplify' --session 7f3a", does: 'tells that session' },
  ],
  define: (self, act) =>
    self
      .argument('<path[:line[-line]]>', 'what it is about')
      .argument('<text>', 'what to say')
      .option('--session <id>', 'to this session; without it, to the one that changed the file last')
      .action(
        act(async (face, about: string, text: string, { session }: { session?: string }) => {
          const client = await clientOf(face);
          const { path, lines } = placeOf(face, about);
          const to = session === undefined ? await lastWriter(client, path) : await sessionNamed(client, session);
          const comments = [{ session: to, path, text, ...(lines === undefined ? {} : { lines }) }];
          const { seq } = said(await client.comment({ body: { comments } }));
          return { json: { session: to, seq }, text: () => `session ${harmless(to)} hears it with its next message` };
        }),
      ),
};

function placeOf(face: Face, about: string): { readonly path: string; readonly lines?: [number, number] } {
  const [, path, from, to = from] = /^(.*?):(\d+)(?:-(\d+))?$/s.exec(about) ?? [];
  if (path === undefined || from === undefined) return { path: face.resolve(about) };
  return { path: face.resolve(path), lines: [Number(from), Number(to)] };
}

async function lastWriter(client: Client, path: string): Promise<string> {
  const { changes } = said(await client.listChanges({ query: { path, status: 'all' } }));
  const last = changes.findLast(({ session }) => session !== null);
  if (last?.session) return last.session;
  throw new Failure('no-such-file', 'no agent has changed this file', 'name whom to tell with --session ID');
}
