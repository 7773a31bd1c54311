import type { Client } from '@palimpsest/protocol';
import { said } from './client.js';
import { Failure } from './failure.js';

/** The session that is meant: by its id, or by how the id of only one of them begins. One that there is not stays as it was said. */
export async function sessionNamed(client: Client, name: string): Promise<string> {
  return sessionAmong(said(await client.listSessions()).sessions, name);
}

export function sessionAmong(sessions: readonly { readonly id: string }[], name: string): string {
  const known = sessions.map(({ id }) => id);
  if (name === '') throw new Failure('usage', 'no session has an empty name', '`pal session list` lists them');
  if (known.includes(name)) return name;
  const meant = known.filter((id) => id.startsWith(name));
  if (meant.length < 2) return meant[0] ?? name;
  throw new Failure(
    'usage',
    `several sessions begin with ${name}: ${meant.slice(0, 5).join(', ')}${meant.length > 5 ? ', …' : ''}`,
    'write more of it',
  );
}
