import { expect, test } from 'vitest';
import { asSessionId } from '../ids.js';
import { PATCHES_LIMIT, patchesOf, patchesView } from './patches.js';
import { story } from './story.fixture.js';
import { foldAll } from './view.js';

function listed(text: string, session: string | null = 'S'): string {
  const { state } = foldAll(patchesView, story(text));
  return patchesOf(state, session === null ? null : asSessionId(session))
    .map(({ id, path, tool, kind, added, removed }) => `${id} ${kind} ${path} ${tool} +${added} -${removed}`)
    .join(' · ');
}

test('[PAT3a] every call of an agent that changed a file is in the ledger, commands included, newest first', () => {
  expect(listed('edit S a v1 v2 @5-1+2 · human b v1 v2 · shell S c - v1 @1+3')).toBe(
    'c3.1 create c Bash +3 -0 · c1.1 modify a Edit +2 -1',
  );
});
test('[PAT3a] without a session the patches of all are listed', () => {
  expect(listed('edit S a v1 v2 · edit T b v1 v2', null)).toBe('c2.1 modify b Edit +0 -0 · c1.1 modify a Edit +0 -0');
});
test('[PAT3b] at most 20 are listed', () => {
  const edits = Array.from({ length: 30 }, (_, at) => `edit S f${at} v1 v2`).join(' · ');
  expect(listed(edits).split(' · ')).toHaveLength(PATCHES_LIMIT);
});
test('[PAT3c] a cleared ledger begins anew, of one session or of all', () => {
  expect(listed('edit S a v1 v2 · clearPatches S · edit S b v1 v2')).toBe('c3.1 modify b Edit +0 -0');
  expect(listed('edit S a v1 v2 · clearPatches T')).toBe('c1.1 modify a Edit +0 -0');
  expect(listed('edit S a v1 v2 · edit T b v1 v2 · clearPatches *', null)).toBe('');
});
