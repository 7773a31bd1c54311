import type { HunkPlace } from './hunk-place.js';

/** What a person is about to do, as far as it is not done yet. */
export type ReviewState = {
  readonly places: readonly HunkPlace[];
  readonly at: number;
  /** The first line of the diff that is shown. */
  readonly scroll: number;
  readonly shows: 'diff' | 'list' | 'help';
  /** The last thing that was done or said. */
  readonly message: string;
  readonly asks: Asks | null;
};

/** A question that the next keys answer. */
export type Asks =
  | { readonly kind: 'comment'; readonly text: string; readonly part: Part }
  | { readonly kind: 'sure'; readonly why: string; readonly effect: Effect };

export type Part = 'hunk' | 'change';
/** What is to be done outside; its outcome comes back as a new list and a message. */
export type Effect =
  | { readonly kind: 'accept'; readonly part: Part; readonly place: HunkPlace }
  | {
      readonly kind: 'reject';
      readonly part: Part;
      readonly place: HunkPlace;
      readonly comment?: string;
      readonly sure?: true;
    }
  | { readonly kind: 'undo' | 'redo' }
  | { readonly kind: 'quit' };

export type Step = { readonly state: ReviewState; readonly effect: Effect | null };

export const BEGINNING: ReviewState = {
  ...{ places: [], at: 0, scroll: 0, shows: 'diff', message: '', asks: null },
};

/** `page`: how many lines of a diff are in sight. */
export function press(state: ReviewState, key: string, page: number): Step {
  if (state.asks !== null) return answerTo(state.asks, state, key);
  const place = state.places[state.at];
  const stay = (part: Partial<ReviewState>): Step => ({ state: { ...state, ...part }, effect: null });
  const decide = (kind: 'accept' | 'reject', part: Part): Step =>
    place === undefined ? stay({}) : { state, effect: { kind, part, place } };
  switch (key) {
    case 'j':
      return stay(goTo(state, state.at + 1));
    case 'k':
      return stay(goTo(state, state.at - 1));
    case 'n':
      return stay(goTo(state, otherChange(state, 1)));
    case 'p':
      return stay(goTo(state, otherChange(state, -1)));
    case 'g':
      return stay(goTo(state, 0));
    case 'G':
      return stay(goTo(state, state.places.length - 1));
    case 'down':
      return stay(scrollBy(state, 1, page));
    case 'up':
      return stay(scrollBy(state, -1, page));
    case ' ':
    case 'pagedown':
      return stay(scrollBy(state, page - 1, page));
    case 'b':
    case 'pageup':
      return stay(scrollBy(state, 1 - page, page));
    case 'a':
      return decide('accept', 'hunk');
    case 'A':
      return decide('accept', 'change');
    case 'r':
      return decide('reject', 'hunk');
    case 'R':
      return decide('reject', 'change');
    case 'c':
      return place === undefined ? stay({}) : stay({ asks: { kind: 'comment', text: '', part: 'hunk' } });
    case 'u':
      return { state, effect: { kind: 'undo' } };
    case 'U':
      return { state, effect: { kind: 'redo' } };
    case 'tab':
      return stay({ shows: state.shows === 'list' ? 'diff' : 'list' });
    case 'enter':
      return stay({ shows: 'diff' });
    case '?':
      return stay({ shows: state.shows === 'help' ? 'diff' : 'help' });
    case 'escape':
      return stay({ shows: 'diff', message: '' });
    case 'q':
    case 'ctrl-c':
    case 'ctrl-d':
      return { state, effect: { kind: 'quit' } };
    default:
      return stay({});
  }
}

/** A new list: one stays at what one was at, or, if that is gone, at what came to stand in its place. */
export function withPlaces(state: ReviewState, places: readonly HunkPlace[]): ReviewState {
  const was = state.places[state.at];
  const same = places.findIndex((place) => was !== undefined && keyOf(place) === keyOf(was));
  const at = same >= 0 ? same : Math.max(0, Math.min(state.at, places.length - 1));
  return { ...state, places, at, scroll: same >= 0 ? state.scroll : 0 };
}

export function keyOf({ change, hunk }: HunkPlace): string {
  return hunk?.id ?? change.id;
}

function answerTo(asks: Asks, state: ReviewState, key: string): Step {
  const left = { ...state, asks: null };
  if (key === 'escape' || key === 'ctrl-c') return { state: { ...left, message: 'left as it is' }, effect: null };
  if (asks.kind === 'sure')
    return key === 'y' || key === 'Y'
      ? { state: left, effect: asks.effect }
      : { state: { ...left, message: 'left as it is' }, effect: null };
  const place = state.places[state.at];
  if (key === 'enter')
    return asks.text.trim() === '' || place === undefined
      ? { state: { ...left, message: 'left as it is: no reason was given' }, effect: null }
      : { state: left, effect: { kind: 'reject', part: asks.part, place, comment: asks.text } };
  const text = key === 'backspace' ? Array.from(asks.text).slice(0, -1).join('') : asks.text + typed(key);
  return { state: { ...state, asks: { ...asks, text } }, effect: null };
}

/** The names of keys that type nothing are words; what is typed is what it is. */
function typed(key: string): string {
  return /^[a-z-]{2,}$/.test(key) ? '' : key;
}

function goTo({ places }: ReviewState, to: number): Partial<ReviewState> {
  return { at: Math.max(0, Math.min(to, places.length - 1)), scroll: 0, message: '' };
}

function otherChange({ places, at }: ReviewState, step: 1 | -1): number {
  const id = places[at]?.change.id;
  for (let index = at; index >= 0 && index < places.length; index += step)
    if (places[index]!.change.id !== id) return index;
  return at;
}

function scrollBy(state: ReviewState, lines: number, page: number): Partial<ReviewState> {
  const most = Math.max(0, (state.places[state.at]?.lines.length ?? 0) - page);
  return { scroll: Math.max(0, Math.min(state.scroll + lines, most)) };
}
