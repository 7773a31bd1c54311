import { SETTING_NAMES, type SettingsJson } from '@palimpsest/protocol';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { EXIT, Failure } from '../face/failure.js';
import { harmless } from '../print/harmless.js';
import { settingsText } from '../print/settings.js';

export const command: CommandFile = {
  summary: 'show or change what this workspace does',
  section: 'More',
  details: `Settings: ${SETTING_NAMES.join(', ')}.`,
  examples: [
    { line: 'pal settings', does: 'what holds here' },
    {
      line: 'pal settings guard.unseen warn',
      does: 'warn about edits of files that were not read, instead of denying',
    },
    { line: 'pal settings guard.unseen --unset', does: 'back to how it comes' },
  ],
  define: (self, act) =>
    self
      .argument('[name]', 'a setting')
      .argument('[value]', 'what to set it to')
      .option('--unset', 'back to how it comes')
      .action(
        act(async (face, name: string | undefined, value: string | undefined, { unset }: { readonly unset?: true }) => {
          const client = await clientOf(face);
          if (name !== undefined && !(SETTING_NAMES as readonly string[]).includes(name)) throw noSuch(name);
          const change = name === undefined || (value === undefined && !unset) ? null : changeOf(name, value, unset);
          const answer = said(await (change === null ? client.getSettings() : client.changeSettings({ body: change })));
          return { json: answer, text: (style) => settingsText(answer.effective, Object.keys(answer.set), style) };
        }),
      ),
};

function changeOf(name: string, value: string | undefined, unset: true | undefined) {
  if (unset) return { unset: [name] };
  return { set: { [name]: parsed(value!) } as SettingsJson };
}

/** A word is a word; numbers, true, false and lists are read as JSON. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function noSuch(name: string): Failure {
  return new Failure({
    code: 'usage',
    message: `there is no setting ${harmless(name)}`,
    hint: `there are ${SETTING_NAMES.join(', ')}`,
    exit: EXIT.usage,
  });
}
