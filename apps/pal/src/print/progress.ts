import { harmless } from './harmless.js';

/** Anything that takes longer than this says what it is doing. */
const PATIENCE_MS = 1000;
const FRAME_MS = 120;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Shows that something is going on, on a terminal only and only when it takes long; the line is gone afterwards. `what` is
 * asked each time where it changes on the way.
 */
export async function withProgress<T>(
  what: string | (() => string),
  work: () => Promise<T>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  if (stream.isTTY !== true) return work();
  const began = Date.now();
  let frame = 0;
  let shown = false;
  const timer = setInterval(() => {
    const passed = Date.now() - began;
    if (passed < PATIENCE_MS) return;
    shown = true;
    stream.write(
      `${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length]} ${harmless(typeof what === 'string' ? what : what())} (${Math.floor(passed / 1000)} s)`,
    );
  }, FRAME_MS);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (shown) stream.write(CLEAR_LINE);
  }
}
