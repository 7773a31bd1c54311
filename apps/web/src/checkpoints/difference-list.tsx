import type { CheckpointDifferenceJson, Client } from '@palimpsest/protocol';
import { useState } from 'react';
import { DiffView } from '../diff/diff-view.js';
import { harmless } from '../diff/harmless.js';
import { useAsked } from '../frame/asked.js';
import { answer } from '../link/page-client.js';

/** What differs between two moments: the files first, the lines of one when it is opened. */
export function DifferenceList(props: {
  readonly client: Client;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
}) {
  const { client, from, to, seq } = props;
  const asked = useAsked(
    (signal) => answer(client.diffCheckpoints({ params: { checkpoint: from }, query: { to }, signal })),
    [client, from, to, to === 'now' ? seq : 0],
  );
  const [open, setOpen] = useState<string | null>(null);
  if (asked.state === 'refused') return <p className="note">{asked.why}</p>;
  const files = asked.value?.files ?? [];
  if (asked.state === 'told' && files.length === 0) return <p className="note">No difference.</p>;
  return (
    <ul className="differences">
      {files.map((file) => (
        <li key={file.path}>
          <button
            type="button"
            className="file"
            aria-expanded={open === file.path}
            onClick={() => setOpen(open === file.path ? null : file.path)}
          >
            <span className="name">{nameOf(file)}</span>
            <span className={`badge ${file.kind}`}>{file.kind}</span>
          </button>
          {open === file.path ? <OneDifference {...{ client, from, to, path: file.path }} /> : null}
        </li>
      ))}
    </ul>
  );
}

function OneDifference(props: {
  readonly client: Client;
  readonly from: string;
  readonly to: string;
  readonly path: string;
}) {
  const { client, from, to, path } = props;
  const asked = useAsked(
    (signal) => answer(client.diffCheckpoints({ params: { checkpoint: from }, query: { to, path }, signal })),
    [client, from, to, path],
  );
  const file = asked.value?.files[0];
  if (file === undefined) return <p className="note">{asked.state === 'refused' ? asked.why : '…'}</p>;
  if (file.binary === true) return <p className="note">Binary.</p>;
  return (
    <DiffView
      client={client}
      path={path}
      before={file.before?.content ?? null}
      after={file.after?.content ?? null}
      hunks={file.hunks ?? []}
    />
  );
}

function nameOf({ path, fromPath }: CheckpointDifferenceJson): string {
  return fromPath === undefined ? harmless(path) : `${harmless(fromPath)} → ${harmless(path)}`;
}
