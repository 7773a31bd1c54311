import type { ListedFile, Patch } from '@palimpsest/core';
import type { OpenFileJson } from '../schemas/open-files.js';
import type { PatchJson } from '../schemas/patch.js';
import { instant } from './instant.js';

export function openFileJson(file: ListedFile & { readonly missing: boolean }): OpenFileJson {
  const { path, pinned, openedAt, touchedAt, by, sessions, missing } = file;
  return {
    ...{ path, pinned, by, missing },
    sessions: [...sessions],
    openedAt: instant(openedAt),
    lastViewedAt: instant(touchedAt),
  };
}

type Entry = Patch & Pick<PatchJson, 'number' | 'status' | 'summary'>;

export function patchJson({ call, at, ...entry }: Entry): PatchJson {
  return { ...entry, callId: call, at: instant(at) };
}
