import type { ChangeJson } from '@palimpsest/protocol';
import { useMemo } from 'react';
import { harmless } from '../diff/harmless.js';

type Folder = {
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly files: Map<string, ChangeJson[]>;
};

/** The files with something to decide, as a tree; folders with nothing but one folder in them are one line. */
export function FileTree(props: {
  readonly changes: readonly ChangeJson[];
  readonly isViewed: (change: ChangeJson) => boolean;
  readonly onChoose: (change: ChangeJson) => void;
}) {
  const tree = useMemo(() => treeOf(props.changes), [props.changes]);
  return (
    <nav className="tree" aria-label="Files">
      <Branch folder={tree} {...props} />
    </nav>
  );
}

function Branch(props: {
  readonly folder: Folder;
  readonly isViewed: (change: ChangeJson) => boolean;
  readonly onChoose: (change: ChangeJson) => void;
}) {
  const { folder, isViewed, onChoose } = props;
  return (
    <ul>
      {[...folder.folders.values()].map((inner) => (
        <li key={inner.name}>
          <span className="folder">{harmless(inner.name)}/</span>
          <Branch folder={inner} isViewed={isViewed} onChoose={onChoose} />
        </li>
      ))}
      {[...folder.files].map(([name, changes]) => (
        <li key={name}>
          <button
            type="button"
            className={`file ${changes.every(isViewed) ? 'viewed' : ''}`}
            onClick={() => onChoose(changes[0]!)}
          >
            <span className="name">{harmless(name)}</span>
            <span className="counts">
              <b className="plus">+{sum(changes, 'added')}</b> <b className="minus">−{sum(changes, 'removed')}</b>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function treeOf(changes: readonly ChangeJson[]): Folder {
  const root: Folder = { name: '', folders: new Map(), files: new Map() };
  for (const change of changes) {
    const parts = (change.movedTo ?? change.path).split('/');
    const name = parts.pop()!;
    let folder = root;
    for (const part of parts) {
      const inner = folder.folders.get(part) ?? { name: part, folders: new Map(), files: new Map() };
      folder.folders.set(part, inner);
      folder = inner;
    }
    folder.files.set(name, [...(folder.files.get(name) ?? []), change]);
  }
  return joined(root);
}

function joined(folder: Folder): Folder {
  const folders = [...folder.folders.values()].map(joined).map((inner) => {
    const [only] = [...inner.folders.values()];
    return inner.files.size === 0 && inner.folders.size === 1
      ? { ...only!, name: `${inner.name}/${only!.name}` }
      : inner;
  });
  return { ...folder, folders: new Map(folders.map((inner) => [inner.name, inner])) };
}

function sum(changes: readonly ChangeJson[], what: 'added' | 'removed'): number {
  return changes.reduce((total, change) => total + change[what], 0);
}
