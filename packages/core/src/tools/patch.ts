import { parseBeginPatch } from './begin-patch.js';
import type { Effect } from './effect.js';
import type { PatchSection } from './patch-section.js';
import { parseUnifiedDiff } from './unified-diff.js';

/** The sections of a `*** Begin Patch` text or of a unified diff, or null for text that is neither. */
export function parsePatch(text: string): readonly PatchSection[] | null {
  return parseBeginPatch(text) ?? parseUnifiedDiff(text);
}

type PatchedFile = { readonly path: string; readonly effect: Effect | null };

/** One entry per file. A file that several sections touch gets their steps in order. */
export function filesOfPatch(sections: readonly PatchSection[]): readonly PatchedFile[] {
  const files = new Map<string, Effect | null>();
  for (const { path, effect } of sections.flatMap(filesOfSection)) {
    const earlier = files.get(path);
    if (earlier === undefined) files.set(path, effect);
    else files.set(path, earlier === null || effect === null ? null : { kind: 'steps', steps: [earlier, effect] });
  }
  return [...files].map(([path, effect]) => ({ path, effect }));
}

function filesOfSection(section: PatchSection): readonly PatchedFile[] {
  const { path } = section;
  if (section.kind === 'add') return [{ path, effect: { kind: 'replace-all-content', text: section.text } }];
  if (section.kind === 'delete') return [{ path, effect: { kind: 'delete' } }];
  const { hunks, ending, moveTo } = section;
  const patch = hunks === null ? null : ({ kind: 'patch', hunks, ending } as const);
  if (moveTo === undefined || moveTo === path) return [{ path, effect: patch }];
  const target = { path: moveTo, effect: patch === null ? null : { ...patch, from: path } };
  return section.copy === true ? [target] : [{ path, effect: { kind: 'move', to: moveTo } }, target];
}
