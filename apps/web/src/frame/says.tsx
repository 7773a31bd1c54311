import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { Refused } from '../link/page-client.js';

/** What the page says to the person about what was just done, or could not be. */
export type Saying = { readonly tone: 'good' | 'bad' | 'careful'; readonly text: string; readonly hint?: string };

type Says = {
  readonly say: (saying: Saying) => void;
  /** Does what a person asked for, and says why if it comes to nothing. */
  readonly attempt: (work: () => Promise<void>) => void;
};

const Context = createContext<Says>({ say: () => undefined, attempt: () => undefined });

export function useSays(): Says {
  return useContext(Context);
}

/** Long enough to be read; one that went wrong stays until it is closed. */
const STAYS_MS = 6_000;

export function Sayings({ children }: { readonly children: ReactNode }) {
  const [sayings, setSayings] = useState<readonly (Saying & { readonly id: number })[]>([]);
  const close = useCallback((id: number) => setSayings((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback(
    (saying: Saying) => {
      const id = performance.now();
      setSayings((all) => [...all.slice(-3), { ...saying, id }]);
      if (saying.tone !== 'bad') setTimeout(() => close(id), STAYS_MS);
    },
    [close],
  );
  const attempt = useCallback(
    (work: () => Promise<void>) => {
      work().catch((error: unknown) => {
        if (!(error instanceof Refused)) {
          say({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
          return;
        }
        const hint = error.isOutdated ? 'Look at what moved, then decide again.' : error.hint;
        say({ tone: 'bad', text: error.message, ...(hint === undefined ? {} : { hint }) });
      });
    },
    [say],
  );
  return (
    <Context.Provider value={{ say, attempt }}>
      {children}
      <div className="sayings" role="status" aria-live="polite">
        {sayings.map(({ id, tone, text, hint }) => (
          <div key={id} className={`saying ${tone}`}>
            <span>{text}</span>
            {hint === undefined ? null : <small>{hint}</small>}
            <button type="button" className="quiet" aria-label="Close" onClick={() => close(id)}>
              ×
            </button>
          </div>
        ))}
      </div>
    </Context.Provider>
  );
}
