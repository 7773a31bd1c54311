import { useSyncExternalStore } from 'react';

/** Where one is in the page, behind the `#` of the address: `/w/ID/VIEW/REST`. */
export type Place = { readonly workspace: string | null; readonly view: string; readonly rest: readonly string[] };

export function placeIn(hash: string): Place {
  const [, w, workspace, view, ...rest] = hash.replace(/^#/, '').split('/');
  if (w !== 'w' || workspace === undefined || workspace === '') return { workspace: null, view: '', rest: [] };
  return { workspace, view: view || 'review', rest: rest.map((part) => decodeURIComponent(part)) };
}

export function addressOf(workspace: string, view: string, ...rest: readonly string[]): string {
  return `#/w/${workspace}/${[view, ...rest.map((part) => encodeURIComponent(part))].join('/')}`;
}

export function goTo(address: string): void {
  location.hash = address;
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(onHashChange, () => location.hash);
  return placeIn(hash);
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
