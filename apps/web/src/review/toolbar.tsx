import type { ChangeJson } from '@palimpsest/protocol';
import type { RefObject } from 'react';
import { GROUPINGS, type Grouping } from './grouping.js';
import type { Verdicts } from './use-verdicts.js';
import type { Walk } from './use-walk.js';

export function Toolbar(props: {
  readonly by: Grouping;
  readonly setBy: (by: Grouping) => void;
  readonly sides: boolean;
  readonly setSides: (sides: boolean) => void;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly verdicts: Verdicts;
  readonly changes: readonly ChangeJson[];
  readonly walk: Walk;
  readonly onHelp: () => void;
}) {
  const { by, sides, filter, verdicts, changes } = props;
  const { hunks, at } = props.walk;
  const all = {
    what: `${changes.length} change${changes.length === 1 ? '' : 's'}`,
    selection: filter === '' ? { all: true } : { changes: changes.map(({ id }) => id) },
  };
  return (
    <div className="toolbar" role="toolbar" aria-label="Review">
      <label>
        by{' '}
        <select value={by} onChange={(event) => props.setBy(event.target.value as Grouping)}>
          {GROUPINGS.map((grouping) => (
            <option key={grouping}>{grouping}</option>
          ))}
        </select>
      </label>
      <button type="button" aria-pressed={sides} onClick={() => props.setSides(!sides)}>
        {sides ? 'Side by side' : 'Unified'}
      </button>
      <input
        ref={props.search}
        type="search"
        placeholder="Files with …  ( / )"
        aria-label="Show only files whose name has this"
        value={filter}
        onChange={(event) => props.setFilter(event.target.value)}
        onKeyDown={(event) => ['Escape', 'Enter'].includes(event.key) && event.currentTarget.blur()}
      />
      <span className="where" aria-live="polite">
        {hunks.length === 0 ? 'nothing' : `${at + 1} of ${hunks.length}`}
      </span>
      <span className="space" />
      <button type="button" onClick={verdicts.undo} title="Take the last decision back (u)">
        Undo
      </button>
      <button type="button" onClick={verdicts.redo} title="Do again what was undone (U)">
        Redo
      </button>
      <button type="button" className="good" onClick={() => verdicts.accept(all)}>
        Accept all
      </button>
      <button type="button" className="bad" onClick={() => verdicts.reject(all)}>
        Reject all
      </button>
      <button type="button" className="quiet" aria-label="Keys" onClick={props.onHelp}>
        ?
      </button>
    </div>
  );
}
