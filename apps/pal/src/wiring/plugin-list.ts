import { addMember, appendItem, removeItems } from './json-edit.js';
import { type JsonNode, memberOf, parseJsonc } from './jsonc.js';

/** opencode's configuration with our plugin in its list. Null when the text cannot be understood. */
export function withPlugin(text: string, url: string): string | null {
  const root = parseJsonc(text);
  if (root?.kind !== 'object') return null;
  const list = memberOf(root, 'plugin')?.value;
  if (list?.kind === 'array' && list.items.some((item) => item.kind === 'scalar' && item.value === url)) return text;
  const cleared = withoutPlugin(text);
  if (cleared === null) return null;
  const fresh = root.members.length === 0 ? addMember(cleared, '$schema', SCHEMA) : cleared;
  return fresh === null ? null : appendItem(fresh, ['plugin'], url);
}

export function withoutPlugin(text: string): string | null {
  return removeItems(text, ['plugin'], isOurs);
}

export function hasPlugin(text: string, url: string): boolean {
  const root = parseJsonc(text);
  const list = root === null ? undefined : memberOf(root, 'plugin')?.value;
  return list?.kind === 'array' && list.items.some((item) => item.kind === 'scalar' && item.value === url);
}

const SCHEMA = 'https://opencode.ai/config.json';
const OUR_URL = /^file:\/\/.*\/plugins\/palimpsest-opencode\.js$/;

function isOurs(item: JsonNode): boolean {
  return item.kind === 'scalar' && typeof item.value === 'string' && OUR_URL.test(item.value);
}
