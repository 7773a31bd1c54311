import type { ChangeJson } from '@palimpsest/protocol';
import { useState } from 'react';
import { harmless } from '../diff/harmless.js';
import { Dialog } from '../frame/dialog.js';
import type { Meant } from './use-verdicts.js';

/** What a person wants to say something about: with a verdict, or without one about some lines. */
export type Said =
  | { readonly kind: 'reject'; readonly meant: Meant }
  | {
      readonly kind: 'remark';
      readonly change: ChangeJson;
      readonly lines: [number, number];
      readonly excerpt: string;
    };

/** Asks what the agent shall hear: along with a rejection, or collected with other comments. */
export function CommentDialog(props: {
  readonly said: Said;
  readonly onClose: () => void;
  readonly onDone: (comment: string) => void;
}) {
  const { said } = props;
  const [text, setText] = useState('');
  const title =
    said.kind === 'reject'
      ? `Reject ${said.meant.what}, and say why`
      : `About line ${said.lines[0]} of ${harmless(said.change.path)}`;
  return (
    <Dialog title={title} onClose={props.onClose}>
      {said.kind === 'remark' ? <pre className="excerpt">{harmless(said.excerpt)}</pre> : null}
      <textarea
        rows={5}
        value={text}
        aria-label="What the agent should hear"
        placeholder="What the agent should hear with its next message"
        onChange={(event) => setText(event.target.value)}
      />
      <footer>
        <button type="button" onClick={props.onClose}>
          Leave it
        </button>
        <button
          type="button"
          className={said.kind === 'reject' ? 'bad' : 'good'}
          disabled={text.trim() === ''}
          onClick={() => props.onDone(text)}
        >
          {said.kind === 'reject' ? 'Reject and tell' : 'Add the comment'}
        </button>
      </footer>
    </Dialog>
  );
}
