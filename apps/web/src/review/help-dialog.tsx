import { Dialog } from '../frame/dialog.js';

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j  k', 'next, previous hunk'],
  ['n  p', 'next, previous change'],
  ['a  r', 'accept, reject the hunk'],
  ['A  R', 'accept, reject the whole change'],
  ['c', 'reject the hunk and say why'],
  ['number', 'click the number of a line to comment on it'],
  ['v', 'viewed: fold the change'],
  ['o', 'fold or unfold the change'],
  ['s', 'side by side, or one below the other'],
  ['u  U', 'undo, redo'],
  ['/', 'show only files whose name has …'],
  ['?', 'these keys'],
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
