import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { table } from './table.js';

/** Every setting with its value; what was set here stands out. */
export function settingsText(
  effective: Readonly<Record<string, unknown>>,
  set: readonly string[],
  style: Style,
): string {
  const rows = flattened(effective).map(([name, value]) => [
    { text: name, paint: style.paint.name },
    { text: harmless(typeof value === 'string' ? value : JSON.stringify(value)) },
    { text: set.includes(name) ? 'set here' : '', paint: style.paint.careful },
  ]);
  const columns = [{ title: 'SETTING' }, { title: 'VALUE', yields: true as const }, { title: '' }];
  return table(columns, rows, { width: style.width, paintTitle: style.paint.quiet });
}

function flattened(settings: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(settings).flatMap(([group, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([field, inner]) => [`${group}.${field}`, inner] as const)
      : [[group, value] as const],
  );
}
