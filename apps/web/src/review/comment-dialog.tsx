import { useState } from 'react';
import { Dialog } from '../frame/dialog.js';

/** Asks for a reason, which the agent hears along with the rejection. */
export function CommentDialog(props: {
  readonly what: string;
  readonly onClose: () => void;
  readonly onDone: (comment: string) => void;
}) {
  const [text, setText] = useState('');
  return (
    <Dialog title={`Reject ${props.what}, and say why`} onClose={props.onClose}>
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
        <button type="button" className="bad" disabled={text.trim() === ''} onClick={() => props.onDone(text)}>
          Reject and tell
        </button>
      </footer>
    </Dialog>
  );
}
