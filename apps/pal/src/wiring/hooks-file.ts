import { isDeepStrictEqual } from 'node:util';
import type { HookGroup } from '../agents/target.js';
import { appendItem, jsonValue, removeItems } from './json-edit.js';

/** A hooks file with our groups in it, and everything else as it was. Null when the text cannot be understood. */
export function withHooks(text: string, groups: readonly HookGroup[]): string | null {
  const ours = ourGroups(text);
  if (ours === null) return null;
  if (isDeepStrictEqual(ours, groups.map(({ event, group }) => ({ event, group })).sort(byEvent))) return text;
  let next = withoutHooks(text);
  for (const { event, group } of groups) next = next === null ? null : appendItem(next, ['hooks', event], group);
  return next;
}

export function withoutHooks(text: string): string | null {
  const events = eventsIn(text);
  let next: string | null = text;
  for (const event of events ?? []) next = next === null ? null : removeItems(next, ['hooks', event], isOurs);
  return events === null ? null : next;
}

/** What of ours is in the file; null when the text cannot be understood. */
export function ourGroups(text: string): readonly HookGroup[] | null {
  const root = jsonValue(text);
  if (!isObject(root)) return null;
  const { hooks = {} } = root;
  if (!isObject(hooks)) return null;
  return Object.entries(hooks)
    .flatMap(([event, groups]) =>
      Array.isArray(groups)
        ? groups.filter(isOurs).map((group) => ({ event, group: group as HookGroup['group'] }))
        : [],
    )
    .sort(byEvent);
}

function eventsIn(text: string): readonly string[] | null {
  return ourGroups(text)?.map(({ event }) => event) ?? null;
}

/** By what it runs, wherever `pal` is, or by what it asks. */
function isOurs(group: unknown): boolean {
  const hooks: readonly unknown[] = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
  return hooks.some((hook) => isObject(hook) && (says(hook.command, OUR_COMMAND) || says(hook.url, OUR_ADDRESS)));
}

function says(value: unknown, what: RegExp): boolean {
  return typeof value === 'string' && what.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const OUR_COMMAND = /\bpal(?:\.js)?['"]? hook \w+ \w+/;
const OUR_ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/v1\/http-hooks\/claude\/\w+$/;

/** Sorting is stable, so groups of one event stay in their order. */
function byEvent(a: HookGroup, b: HookGroup): number {
  return a.event < b.event ? -1 : a.event > b.event ? 1 : 0;
}
