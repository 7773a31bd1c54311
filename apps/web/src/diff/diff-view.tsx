import type { Client, HunkJson } from '@palimpsest/protocol';
import { useState } from 'react';
import { useAsked } from '../frame/asked.js';
import { shownText } from '../link/contents.js';
import { UnifiedLine } from './line.js';
import { rowsOf } from './rows.js';

type Place = Pick<HunkJson, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'>;
/** Enough to see what it is about; a diff that is larger is looked at in the review, which shows only what is in sight. */
const MOST_ROWS = 2_000;

/** The difference of two versions of one file, on its own: nothing to decide. */
export function DiffView(props: {
  readonly client: Client;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly hunks: readonly Place[];
}) {
  const { client, path, before, after, hunks } = props;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const asked = useAsked(
    async () => ({ before: await shownText(client, before, path), after: await shownText(client, after, path) }),
    [client, path, before, after],
  );
  if (asked.state === 'refused') return <p className="note">{asked.why}</p>;
  if (asked.value === null) return <p className="note">…</p>;
  const texts = asked.value;
  const whole = hunks.map((hunk, index): HunkJson => ({ ...hunk, id: String(index), status: 'accepted' }));
  const rows = rowsOf({ hunks: whole }, texts.before, texts.after, opened);
  return (
    <div className="diff">
      {rows.slice(0, MOST_ROWS).map((row, index) =>
        row.kind === 'fold' ? (
          <button
            type="button"
            key={`fold ${row.from}`}
            className="fold-line"
            onClick={() => setOpened(new Set([...opened, row.from]))}
          >
            ⋯ {row.lines} unchanged lines
          </button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place.
          <UnifiedLine key={index} row={row} texts={texts} />
        ),
      )}
      {rows.length > MOST_ROWS ? <p className="note">… {rows.length - MOST_ROWS} more lines</p> : null}
    </div>
  );
}
