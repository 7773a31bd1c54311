import { PLUGIN_MARK } from '../agents/plugin-file.js';
import type { Target } from '../agents/target.js';
import { withHooks, withoutHooks } from './hooks-file.js';
import type { Entry } from './ledger.js';
import { hashOf } from './ledger.js';
import { withoutPlugin, withPlugin } from './plugin-list.js';

/** What is to become of one file; `after` null means that it goes. */
export type Rewrite = {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** A token is in it. */
  readonly secret?: boolean;
};
/** A file that cannot be changed without losing something of the user's. */
export type Obstacle = { readonly path: string; readonly why: string };

export function planWire(target: Target, current: Buffer | null): Rewrite | Obstacle {
  const { path } = target;
  if (target.kind === 'own-file') {
    if (current !== null && !isOurs(current)) return { path, why: 'a file of yours has this name' };
    return { path, before: current, after: Buffer.from(target.text) };
  }
  const text = current?.toString('utf8') ?? '';
  const start = text.trim() === '' ? '{}\n' : text;
  const next = target.kind === 'hooks' ? withHooks(start, target.groups) : withPlugin(start, target.url);
  if (next === null) return { path, why: 'it is not the JSON that this agent reads' };
  const secret = target.kind === 'hooks' && target.secret;
  return { path, before: current, after: next === text ? current : Buffer.from(next), ...(secret ? { secret } : {}) };
}

/** Back to the very bytes of before where nobody changed the file since; otherwise only what is ours goes. */
export function planUnwire(target: Target, current: Buffer | null, entry: Entry | undefined): Rewrite | Obstacle {
  const { path } = target;
  if (current === null) return { path, before: null, after: null };
  if (entry !== undefined && hashOf(current) === entry.after)
    return { path, before: current, after: entry.before === null ? null : Buffer.from(entry.before, 'base64') };
  if (target.kind === 'own-file') return { path, before: current, after: isOurs(current) ? null : current };
  const text = current.toString('utf8');
  const next = target.kind === 'hooks' ? withoutHooks(text) : withoutPlugin(text);
  if (next === null) return { path, why: 'it is not the JSON that this agent reads' };
  return { path, before: current, after: next === text ? current : Buffer.from(next) };
}

export function changes({ before, after }: Rewrite): boolean {
  return before === null || after === null ? before !== after : !before.equals(after);
}

function isOurs(current: Buffer): boolean {
  return current.toString('utf8').startsWith(PLUGIN_MARK);
}
