import { type ReactNode, useEffect, useRef } from 'react';

/** A question that has to be answered, or left with Escape, before anything else. The browser keeps the focus in it. */
export function Dialog(props: { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} aria-label={props.title} onCancel={props.onClose}>
      <header>
        <h2>{props.title}</h2>
        <button type="button" className="quiet" aria-label="Close" onClick={props.onClose}>
          ×
        </button>
      </header>
      {props.children}
    </dialog>
  );
}
