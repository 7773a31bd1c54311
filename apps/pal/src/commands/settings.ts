import { SETTING_NAMES, type SettingName, type SettingsJson, settingChoices, settingValue } from '@palimpsest/protocol';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { EXIT, Failure } from '../face/failure.js';
import { harmless } from '../print/harmless.js';
import { settingsText } from '../print/settings.js';

export const command: CommandFile = {
  summary: 'show or change what this workspace does',
  section: 'More',
  details: `Times are written as 90s, 30min, 12h or 30d, sizes as 500MB or 10GB. Settings: ${SETTING_NAMES.join(', ')}.`,
  examples: [
    { line: 'pal settings', does: 'what holds here, and what each means' },
    { line: 'pal settings guard.unseen warn', does: 'warn about edits of files that were not read, and let them pass' },
    { line: 'pal settings checkpoints.keptAgeMs 30d', does: 'let checkpoints go after a month' },
    { line: 'pal settings guard.unseen --unset', does: 'back to how it comes' },
  ],
  define: (self, act) =>
    self
      .argument('[name]', 'a setting')
      .argument('[value]', 'what to set it to')
      .option('--unset', 'back to how it comes')
      .action(
        act(async (face, name: string | undefined, value: string | undefined, { unset }: { readonly unset?: true }) => {
          if (name !== undefined && !isSetting(name)) throw noSuch(name);
          const client = await clientOf(face);
          const change = name === undefined || (value === undefined && !unset) ? null : changeOf(name, value, unset);
          const answer = said(await (change === null ? client.getSettings() : client.changeSettings({ body: change })));
          const shown = name === undefined ? SETTING_NAMES : [name];
          return { json: answer, text: (style) => settingsText(shown, answer, style) };
        }),
      ),
};

function isSetting(name: string): name is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(name);
}

function changeOf(name: SettingName, value: string | undefined, unset: true | undefined) {
  if (unset) return { unset: [name] };
  const read = settingValue(name, value!);
  const isAmount = settingChoices(name).startsWith('a ') && typeof read !== 'number' && !Array.isArray(read);
  if (!isAmount) return { set: { [name]: read } as SettingsJson };
  throw new Failure({
    code: 'usage',
    message: `${name} is ${settingChoices(name)}, not ${harmless(value!)}`,
    hint: `\`pal settings ${name}\` shows what holds`,
    exit: EXIT.usage,
  });
}

function noSuch(name: string): Failure {
  return new Failure({
    code: 'usage',
    message: `there is no setting ${harmless(name)}`,
    hint: `there are ${SETTING_NAMES.join(', ')}`,
    exit: EXIT.usage,
  });
}
