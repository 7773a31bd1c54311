import type { ChangeJson, HunkJson } from '@palimpsest/protocol';
import { harmless } from '../diff/harmless.js';
import { addressOf } from '../frame/route.js';
import { ago } from '../frame/time.js';
import type { Meant } from './use-verdicts.js';

/** What can be done with a part of the review; a button does what the key of the same name does. */
export type Hand = {
  readonly accept: (meant: Meant) => void;
  readonly reject: (meant: Meant) => void;
  /** Reject, and say why. */
  readonly comment: (meant: Meant) => void;
  /** Say something about a line, and decide nothing. */
  readonly remark: (about: {
    readonly change: ChangeJson;
    readonly lines: [number, number];
    readonly excerpt: string;
  }) => void;
};

const KINDS = { create: 'new', modify: '', delete: 'deleted', rename: 'renamed' } as const;

export function ChangeHeader(props: {
  readonly workspace: string;
  readonly change: ChangeJson;
  readonly hand: Hand;
  readonly current: boolean;
  readonly folded: boolean;
  readonly viewed: boolean;
  readonly onFold: () => void;
  readonly onView: () => void;
}) {
  const { workspace, change, hand, current, folded, viewed } = props;
  const meant = meantBy(change, null);
  const path = harmless(change.path);
  return (
    <div className={`change ${current ? 'current' : ''} ${viewed ? 'viewed' : ''}`}>
      <button
        type="button"
        className="quiet fold"
        aria-expanded={!folded}
        aria-label={`Show ${path}`}
        onClick={props.onFold}
      >
        {folded ? '▸' : '▾'}
      </button>
      <a
        className="path"
        href={addressOf(workspace, 'blame', change.movedTo ?? change.path)}
        title="Who wrote each line"
      >
        {change.fromPath === undefined ? path : `${harmless(change.fromPath)} → ${path}`}
      </a>
      {KINDS[change.kind] === '' ? null : <span className={`badge ${change.kind}`}>{KINDS[change.kind]}</span>}
      <Whose change={change} />
      <span className="counts">
        <b className="plus">+{change.added}</b> <b className="minus">−{change.removed}</b>
      </span>
      <label className="view">
        <input type="checkbox" checked={viewed} onChange={props.onView} /> viewed
      </label>
      <Buttons meant={meant} hand={hand} name={path} />
    </div>
  );
}

/** Who made it, or who may have. */
function Whose({ change }: { readonly change: ChangeJson }) {
  const { agent, tool, evidence, candidates = [], at, turn } = change;
  const sure = evidence === 'exact' || evidence === 'window';
  const who =
    candidates.length > 0
      ? `one of ${candidates.map(({ agent: name, session }) => name ?? session).join(', ')}`
      : `${agent ?? 'nobody known'}${tool === null ? '' : `, ${tool}`}`;
  return (
    <span className="who" title={`${evidence} evidence, ${at}${turn === undefined ? '' : `, turn ${turn}`}`}>
      {harmless(who)}
      {sure ? '' : ` (${evidence})`} · {ago(at)}
    </span>
  );
}

export function HunkHeader(props: {
  readonly change: ChangeJson;
  readonly hunk: HunkJson;
  readonly hand: Hand;
  readonly current: boolean;
}) {
  const { change, hunk, hand, current } = props;
  const place = `@@ −${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
  return (
    <div className={`hunk ${current ? 'current' : ''}`} data-hunk={hunk.id}>
      <span className="where">{place}</span>
      {hunk.status === 'pending' ? (
        <Buttons
          meant={meantBy(change, hunk.id)}
          hand={hand}
          name={`lines ${hunk.newStart} of ${harmless(change.path)}`}
        />
      ) : (
        <span className={`badge ${hunk.status}`}>{hunk.status}</span>
      )}
    </div>
  );
}

export function Buttons({ meant, hand, name }: { readonly meant: Meant; readonly hand: Hand; readonly name: string }) {
  return (
    <span className="buttons">
      <button type="button" className="good" aria-label={`Accept ${name}`} onClick={() => hand.accept(meant)}>
        Accept
      </button>
      <button type="button" className="bad" aria-label={`Reject ${name}`} onClick={() => hand.reject(meant)}>
        Reject
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={`Reject ${name} and say why`}
        onClick={() => hand.comment(meant)}
      >
        …
      </button>
    </span>
  );
}

export function meantBy(change: ChangeJson, hunk: string | null): Meant {
  const path = harmless(change.path);
  return hunk === null
    ? { what: path, selection: { changes: [change.id] } }
    : { what: `a hunk of ${path}`, selection: { changes: [change.id], hunks: [hunk] } };
}
