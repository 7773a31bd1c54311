/** Server-sent events, as the HTML standard has them: writing, and reading as the bytes come. */

export type ServerEvent = { readonly event: string; readonly data: string; readonly id: string | null };

/** `data` must be one line, which JSON is. */
export function encodeEvent({ event, data, id }: ServerEvent): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** A line that says nothing, so that whatever is between knows that the stream lives. */
export const KEEPALIVE = ': keepalive\n\n';
export const KEEPALIVE_INTERVAL_MS = 15_000;

/** Feed it text in pieces of any size; it gives back the events that are complete. */
export class EventParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #lastId: string | null = null;
  #started = false;

  push(text: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    let buffer = this.#rest + text;
    if (!this.#started && buffer !== '') {
      this.#started = true;
      if (buffer.startsWith('\uFEFF')) buffer = buffer.slice(1);
    }
    let start = 0;
    for (;;) {
      const end = lineEnd(buffer, start);
      if (end === null) break;
      const event = this.#line(buffer.slice(start, end.at));
      if (event !== null) events.push(event);
      start = end.next;
    }
    this.#rest = buffer.slice(start);
    return events;
  }

  #line(line: string): ServerEvent | null {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const raw = colon < 0 ? '' : line.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#lastId = value;
    return null;
  }

  #dispatch(): ServerEvent | null {
    const event = this.#event === '' ? 'message' : this.#event;
    const data = this.#data;
    this.#event = '';
    this.#data = [];
    return data.length === 0 ? null : { event, data: data.join('\n'), id: this.#lastId };
  }
}

/** A carriage return at the very end may be half of a pair, so it does not end a line yet. */
function lineEnd(buffer: string, from: number): { readonly at: number; readonly next: number } | null {
  for (let at = from; at < buffer.length; at++) {
    const code = buffer.charCodeAt(at);
    if (code === 10) return { at, next: at + 1 };
    if (code !== 13) continue;
    if (at + 1 === buffer.length) return null;
    return { at, next: buffer.charCodeAt(at + 1) === 10 ? at + 2 : at + 1 };
  }
  return null;
}
