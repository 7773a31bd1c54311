import { z } from 'zod';
import { type AmountKind, amountPattern, amountText, parseAmount } from './amounts.js';
import { Count } from './scalars.js';

const Policy = z.enum(['deny', 'warn', 'off']);

/** What a workspace does when it has a choice. What is not set is as it comes. */
export const Settings = z
  .strictObject({
    'guard.stale': Policy.meta({ description: 'Edits of files that changed since the session saw them.' }),
    'guard.unseen': Policy.meta({ description: 'Edits of existing files that the session has not seen.' }),
    'guard.apart': z
      .enum(['deny', 'pass'])
      .meta({ description: 'Stale edits on other lines than those that changed.' }),
    scratch: z.array(z.string()).meta({ description: 'Names of scratch files, in addition to the built-in ones.' }),
    commitAccepts: z.boolean().meta({ description: 'A commit that contains a pending change accepts it.' }),
    stockWaitMs: Count.meta({
      description: 'How long a command waits, right after opening, until it is known what it may write over.',
    }),
    callLifetimeMs: Count.meta({ description: 'A call that has not ended after this long is taken to be lost.' }),
    'checkpoints.automatic': z
      .boolean()
      .meta({ description: 'Save one when a session starts, at each prompt, and around calls that change files.' }),
    'checkpoints.keptCount': Count.meta({ description: 'Automatic ones beyond this many go, oldest first.' }),
    'checkpoints.keptAgeMs': Count.meta({ description: 'Automatic ones older than this go.' }),
    'checkpoints.storeBytes': Count.meta({
      description: 'When the store is larger than this, the oldest checkpoints go too.',
    }),
    'checkpoints.historyAgeMs': Count.meta({
      description: 'How long the bytes of settled changes stay: until then they can be shown and undone.',
    }),
    'context.inject': z.boolean().meta({
      description: 'Give agents that listen at a prompt what `pal context` shows for it.',
    }),
    'context.tokens': Count.meta({ description: 'At most so many tokens of it.' }),
    'worktree.dependencies': z
      .enum(['auto', 'reflink', 'copy', 'none'])
      .meta({ description: 'How node_modules and the like come into a worktree.' }),
    'worktree.copiedBytes': Count.meta({
      description: 'With auto, and a disk that cannot share them, no more than this is copied.',
    }),
    'worktree.setup': z.string().meta({ description: 'A command that runs in each new worktree, such as npm ci.' }),
    'worktree.setupMs': Count.meta({ description: 'A setup command that takes longer has failed.' }),
  })
  .partial()
  .meta({ id: 'Settings' });
export type SettingsJson = z.infer<typeof Settings>;
export type SettingName = keyof SettingsJson;
export const SETTING_NAMES = Object.keys(Settings.shape) as readonly SettingName[];

/** Settings that are amounts say so by the end of their names. */
function amountOf(name: string): AmountKind | null {
  return name.endsWith('Ms') ? 'time' : name.endsWith('Bytes') ? 'size' : null;
}

/** What `settings.json` may hold: the same, with amounts also as people write them. */
export const SettingsFile = z
  .strictObject(
    Object.fromEntries(
      Object.entries(Settings.shape).map(([name, shape]) => {
        const kind = amountOf(name);
        const field: z.ZodType = shape.unwrap();
        if (kind === null) return [name, field];
        const { description } = field;
        return [name, z.union([field, z.string().regex(amountPattern(kind))]).meta({ description })];
      }),
    ),
  )
  .partial()
  .meta({ id: 'SettingsFile' });

/** What somebody wrote for a setting: `30d`, `10GB`; a word is a word; numbers, true, false and lists are JSON. */
export function settingValue(name: string, written: string): unknown {
  const kind = amountOf(name);
  const amount = kind === null ? null : parseAmount(kind, written);
  if (amount !== null) return amount;
  if (isText(name) && !/^".*"$/s.test(written)) return written;
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

function isText(name: string): boolean {
  return name in Settings.shape && Settings.shape[name as SettingName].unwrap() instanceof z.ZodString;
}

/** The other way round. */
export function settingText(name: string, value: unknown): string {
  const kind = amountOf(name);
  if (kind !== null && typeof value === 'number') return amountText(kind, value);
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** What can be written for it, in words. */
export function settingChoices(name: SettingName): string {
  const kind = amountOf(name);
  if (kind === 'time') return 'a time such as 90s, 30min, 12h or 30d';
  if (kind === 'size') return 'a size such as 500MB or 10GB';
  const schema = Settings.shape[name].unwrap();
  if (schema instanceof z.ZodEnum) return schema.options.join(', ').replace(/, ([^,]*)$/, ' or $1');
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodString) return 'a line of text';
  return schema instanceof z.ZodArray ? 'a list such as ["*.tmp"]' : 'a whole number';
}

export function settingDescription(name: SettingName): string {
  return Settings.shape[name].unwrap().description ?? '';
}
