import type { PatchJson, ShownPatchJson } from '@palimpsest/protocol';
import { diffText } from './diff.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

export function patchesText(patches: readonly PatchJson[], rest: 'more' | 'all', style: Style): string {
  if (patches.length === 0) return 'no agent changed a file since the list began';
  const { paint, now } = style;
  const columns: readonly Column<PatchJson>[] = [
    { title: '#', align: 'right', text: ({ number }) => String(number), paint: () => paint.name },
    { title: 'PATH', yields: true, text: ({ path }) => harmless(path) },
    { title: 'LINES', text: ({ added, removed }) => `+${added} −${removed}`, paint: () => paint.quiet },
    { title: 'WITH', text: ({ tool }) => harmless(tool) },
    {
      title: 'BY',
      yields: true,
      drops: 1,
      text: ({ agent, session }) => harmless(agent === 'unknown' ? session : agent),
    },
    { title: 'STATUS', text: ({ status }) => status, paint: () => paint.quiet },
    { title: 'WHEN', drops: 2, text: ({ at }) => ago(at, now), paint: () => paint.quiet },
  ];
  const listed = table(columns, patches, style);
  return rest === 'all'
    ? listed
    : `${listed}\n${paint.quiet('(these are the latest; `pal changes --status all` lists all)')}`;
}

export function shownPatchesText(patches: readonly ShownPatchJson[], style: Style): string {
  const { paint, now } = style;
  return patches
    .map(({ id, path, summary, agent, status, at, diff, cut }) => {
      const head = `${paint.name(id)} ${harmless(path)} ${harmless(summary)} ${paint.quiet(`(${harmless(agent)}, ${status}, ${ago(at, now)})`)}`;
      const body = diff === '' ? 'its bytes are not kept any more' : diffText(diff.trimEnd(), paint);
      return [head, body, ...(cut ? [paint.quiet('(cut here: `pal show` has all of it)')] : [])].join('\n');
    })
    .join('\n\n');
}
