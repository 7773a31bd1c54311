import { SETTING_NAMES, type SettingName, type SettingsJson, settingChoices, settingValue } from '@palimpsest/protocol';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';
import { harmless } from '../print/harmless.js';
import { settingsText } from '../print/settings.js';
import type { Said } from './command.js';

type GivenSetting = {
  readonly name: string | undefined;
  readonly value: string | undefined;
  readonly unset: true | undefined;
};

/** Shows all settings or one, or changes one first. Apart from its command, since the schemas take long to load. */
export async function setting(face: Face, { name, value, unset }: GivenSetting): Promise<Said> {
  if (name !== undefined && !isSetting(name)) throw noSuch(name);
  if (unset && name === undefined) throw new Failure('usage', '--unset of which setting?', `there are ${ALL}`);
  if (unset && value !== undefined)
    throw new Failure('usage', `say either --unset or ${harmless(value)}, not both`, 'nothing was changed');
  const client = await clientOf(face);
  const change = name === undefined || (value === undefined && !unset) ? null : changeOf(name, value, unset);
  const answer = said(await (change === null ? client.getSettings() : client.changeSettings({ body: change })));
  const shown = name === undefined ? SETTING_NAMES : [name];
  return { json: answer, text: (style) => settingsText(shown, answer, style) };
}

function isSetting(name: string): name is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(name);
}

function changeOf(name: SettingName, value: string | undefined, unset: true | undefined) {
  if (unset) return { unset: [name] };
  const read = settingValue(name, value!);
  const isText = typeof read === 'string' && settingChoices(name) === 'a line of text';
  const isAmount = settingChoices(name).startsWith('a ') && typeof read !== 'number' && !Array.isArray(read);
  if (!isAmount || isText) return { set: { [name]: read } as SettingsJson };
  throw new Failure(
    'usage',
    `${name} is ${settingChoices(name)}, not ${harmless(value!)}`,
    `\`pal settings ${name}\` shows what holds`,
  );
}

const ALL = SETTING_NAMES.join(', ');

function noSuch(name: string): Failure {
  return new Failure('usage', `there is no setting ${harmless(name)}`, `there are ${ALL}`);
}
