import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, type Settings } from '@palimpsest/engine';
import { type SettingsJson, Settings as SettingsSchema, settingValue } from '@palimpsest/protocol';
import { errorCode } from '../../surroundings/error-code.js';
import { writePrivateJson } from '../../surroundings/private-file.js';

const NAME = 'settings.json';

/** What is set in a folder of ours, and the file that was to say it, when it is no settings file: then nothing is. */
export type SettingsRead = { readonly set: SettingsJson; readonly unreadable: string | null };

export function readSettings(folder: string): SettingsRead {
  const file = join(folder, NAME);
  try {
    const parsed = SettingsSchema.safeParse(inUnits(JSON.parse(readFileSync(file, 'utf8'))));
    return parsed.success ? { set: parsed.data, unreadable: null } : { set: {}, unreadable: file };
  } catch (error) {
    return { set: {}, unreadable: errorCode(error) === 'ENOENT' ? null : file };
  }
}

/** Whoever writes the file by hand may write amounts as `30d` and `10GB`. */
function inUnits(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return written;
  const read = (name: string, value: unknown) => (typeof value === 'string' ? settingValue(name, value) : value);
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, read(name, value)]));
}

export function writeSettings(folder: string, settings: SettingsJson): void {
  writePrivateJson(join(folder, NAME), settings);
}

/** `a.b` in what is set stands for the field `b` of `a` in what the engine takes. */
export function effectiveSettings(...layers: readonly SettingsJson[]): Settings {
  const settings = structuredClone(DEFAULT_SETTINGS) as unknown as Record<string, unknown>;
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const [group = '', field] = name.split('.');
    if (field === undefined) settings[group] = value;
    else (settings[group] as Record<string, unknown>)[field] = value;
  }
  return settings as unknown as Settings;
}
