import { addMember, appendItem, jsonValue, removeItems } from './json-edit.js';

/** opencode's configuration with our plugin in its list. Null when the text cannot be understood. */
export function withPlugin(text: string, url: string): string | null {
  const root = jsonValue(text);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return null;
  if (hasPlugin(text, url)) return text;
  const cleared = withoutPlugin(text);
  if (cleared === null) return null;
  const fresh = Object.keys(root).length === 0 ? addMember(cleared, '$schema', SCHEMA) : cleared;
  return fresh === null ? null : appendItem(fresh, ['plugin'], url);
}

export function withoutPlugin(text: string): string | null {
  return removeItems(text, ['plugin'], isOurs);
}

export function hasPlugin(text: string, url: string): boolean {
  const { plugin } = (jsonValue(text) ?? {}) as { readonly plugin?: unknown };
  return Array.isArray(plugin) && plugin.includes(url);
}

const SCHEMA = 'https://opencode.ai/config.json';
const OUR_URL = /^file:\/\/.*\/plugins\/palimpsest-opencode\.js$/;

function isOurs(item: unknown): boolean {
  return typeof item === 'string' && OUR_URL.test(item);
}
