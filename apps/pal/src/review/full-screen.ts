import type { Client } from '@palimpsest/protocol';
import { output } from '../print/output.js';
import type { Paint } from '../print/paint.js';
import { ReviewDesk } from './desk.js';
import { keysIn } from './keys.js';
import { pageOf, type Size, screenOf } from './review-screen.js';
import { BEGINNING, press, type ReviewState, withPlaces } from './review-state.js';

/** The screen below the one that the shell has, without a cursor; and back. */
const [ENTER, LEAVE] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];
const [HOME, REST_OF_LINE] = ['\u001b[H', '\u001b[K'];

/** Reviews in the whole terminal, until the person leaves. The terminal is given back as it was, whatever happens. */
export async function reviewFullScreen(client: Client, paint: Paint): Promise<void> {
  const screen = new Screen(client, paint);
  const end = new AbortController();
  const { stdin } = process;
  const leave = () => end.abort();
  const resized = () => void screen.draw();
  stdin.setRawMode(true);
  process.stdout.on('resize', resized);
  for (const signal of SIGNALS) process.once(signal, leave);
  await output.out(ENTER);
  try {
    await screen.look();
    const following = screen.follow(end.signal);
    for await (const chunk of keyChunks(end.signal)) if ((await screen.take(chunk)) === 'quit') break;
    end.abort();
    await following;
  } finally {
    process.stdout.off('resize', resized);
    for (const signal of SIGNALS) process.off(signal, leave);
    stdin.setRawMode(false);
    stdin.pause();
    await output.out(LEAVE);
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** What comes in, until the person is done or the terminal is gone. */
async function* keyChunks(signal: AbortSignal): AsyncGenerator<string, void, void> {
  const { stdin } = process;
  stdin.setEncoding('utf8');
  const waiting: string[] = [];
  let wake: () => void = () => undefined;
  let open = true;
  const more = (chunk: string) => {
    waiting.push(chunk);
    wake();
  };
  const close = () => {
    open = false;
    wake();
  };
  stdin.on('data', more).once('end', close);
  signal.addEventListener('abort', close);
  try {
    while (open) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stdin.off('data', more).off('end', close);
  }
}

class Screen {
  readonly #client: Client;
  readonly #desk: ReviewDesk;
  readonly #paint: Paint;
  #state: ReviewState = BEGINNING;

  constructor(client: Client, paint: Paint) {
    this.#client = client;
    this.#desk = new ReviewDesk(client);
    this.#paint = paint;
  }

  async look(): Promise<void> {
    const places = await this.#desk.look();
    this.#state = withPlaces(this.#state, places);
    await this.draw();
  }

  async draw(): Promise<void> {
    const lines = screenOf(this.#state, size(), this.#paint);
    await output.out(`${HOME}${lines.map((line) => `${line}${REST_OF_LINE}`).join('\r\n')}`);
  }

  async take(chunk: string): Promise<'quit' | 'on'> {
    for (const key of keysIn(chunk)) {
      const { state, effect } = press(this.#state, key, pageOf(size()));
      this.#state = state;
      if (effect?.kind === 'quit') return 'quit';
      if (effect === null) continue;
      const { message, asks = null } = await this.#desk.act(effect);
      const places = await this.#desk.look();
      this.#state = { ...withPlaces(this.#state, places), message, asks };
    }
    await this.draw();
    return 'on';
  }

  /** What happens meanwhile shows up by itself. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const event of this.#client.events({ signal }))
      if (event.kind === 'operation' || event.kind === 'reset') await this.look();
  }
}

function size(): Size {
  return { columns: process.stdout.columns, rows: process.stdout.rows };
}
