import {
  type SettingName,
  type SettingsJson,
  settingChoices,
  settingDescription,
  settingText,
} from '@palimpsest/protocol';
import { fitting } from './folded.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';

export type SettingsWords = {
  readonly set: SettingsJson;
  readonly effective: Readonly<Record<string, unknown>>;
};

/** Each with its value, what was set here marked, and below it what it means and what can be written. */
export function settingsText(
  names: readonly SettingName[],
  { set, effective }: SettingsWords,
  { paint, width }: Style,
): string {
  return names
    .map((name) => {
      const value = harmless(settingText(name, valueHeld(name, effective)));
      const here = name in set ? paint.careful('  (set here)') : '';
      const means = `${fitting(settingDescription(name), 2, width)}\n  ${settingChoices(name)}`;
      return `${paint.name(name)}  ${value}${here}\n  ${paint.quiet(means)}`;
    })
    .join('\n');
}

/** `a.b` is the field `b` of `a`. */
function valueHeld(name: string, effective: SettingsWords['effective']): unknown {
  const [group = '', field] = name.split('.');
  const value = effective[group];
  return field === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[field];
}
