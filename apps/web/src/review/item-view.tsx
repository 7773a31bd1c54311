import type { ChangeJson } from '@palimpsest/protocol';
import { useEffect } from 'react';
import { harmless } from '../diff/harmless.js';
import { PairedLines, UnifiedLine } from '../diff/line.js';
import { Buttons, ChangeHeader, type Hand, HunkHeader } from './change-header.js';
import type { HunkPlace, Item } from './items.js';
import type { Folds } from './use-folds.js';
import type { Viewed } from './viewed.js';

export function ItemView(props: {
  readonly workspace: string;
  readonly item: Item;
  readonly hand: Hand;
  readonly folds: Folds;
  readonly viewed: Viewed;
  readonly current: HunkPlace | undefined;
  readonly load: (change: ChangeJson) => void;
}) {
  const { item, hand, folds, viewed, current } = props;
  switch (item.kind) {
    case 'group': {
      const { title, detail, changes } = item.group;
      const what = `${changes.length} change${changes.length === 1 ? '' : 's'} of “${harmless(title)}”`;
      const meant = { what, selection: { changes: changes.map(({ id }) => id) } };
      return (
        <header className="group">
          <h2 title={harmless(title)}>{harmless(title)}</h2>
          <span className="who">{harmless(detail)}</span>
          <Buttons meant={meant} hand={hand} name={`all of ${harmless(title)}`} />
        </header>
      );
    }
    case 'change': {
      const { change } = item;
      return (
        <ChangeHeader
          {...{ workspace: props.workspace, change, hand }}
          current={current?.change.id === change.id}
          folded={folds.folded.has(change.id)}
          viewed={viewed.has(change)}
          onFold={() => folds.toggle(change)}
          onView={() => viewed.toggle(change)}
        />
      );
    }
    case 'row':
    case 'sides': {
      const { change, row } = item;
      if (row.kind === 'hunk')
        return <HunkHeader {...{ change, hand }} hunk={row.hunk} current={current?.hunk === row.hunk.id} />;
      if (row.kind === 'fold')
        return (
          <button type="button" className="fold-line" onClick={() => folds.open(change, row.from)}>
            ⋯ {row.lines} unchanged lines
          </button>
        );
      const onNumber =
        change.session === null
          ? undefined
          : (line: number, excerpt: string) => hand.remark({ change, lines: [line, line], excerpt });
      if (row.kind === 'pair') return <PairedLines row={row} texts={item.texts} onNumber={onNumber} />;
      return <UnifiedLine row={row} texts={item.texts} onNumber={onNumber} />;
    }
    case 'waiting':
      return <Waiting change={item.change} load={props.load} />;
    case 'note':
      return <p className="note">{harmless(item.text)}</p>;
    case 'gap':
      return null;
  }
}

/** Asks for its texts once it is near enough to be made. */
function Waiting({ change, load }: { readonly change: ChangeJson; readonly load: (change: ChangeJson) => void }) {
  useEffect(() => load(change), [change, load]);
  return <p className="note">…</p>;
}
