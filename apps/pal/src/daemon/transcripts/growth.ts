import type { TranscriptItem } from '../../agents/transcript.js';
import type { Place } from './place.js';

/** What one reading of a transcript came to. */
export type Gain = {
  /** Where the next one goes on. */
  readonly place: Place;
  readonly length: number;
  /** It is not what was read before, or not any more: everything in it was read. */
  readonly anew: boolean;
  readonly leftOut: number;
};

export type Trouble = { readonly trouble: string };

export type PlacedItem = {
  readonly item: TranscriptItem;
  /** Where the line stands in the file, where that means anything. */
  readonly start?: number;
  readonly end?: number;
};

/** Bytes that are to be kept, from one place to another. */
export type Piece = { readonly from: number; readonly to: number; readonly bytes: Uint8Array };

/** A transcript that is read again and again while it grows. */
export interface Growth {
  /**
   * Gives what there is after `since` to `onItems`, some at a time, which says how many of them it took; with what it did
   * not take the next reading begins. `turn`: which one was running there.
   */
  read(
    since: { readonly place: Place; readonly turn: string | null } | null,
    until: 'turn-is-over' | 'more-may-come',
    onItems: (items: readonly PlacedItem[]) => Promise<number>,
  ): Promise<Gain | Trouble>;
  /** What there is to be kept from there on, in pieces of bounded size. */
  pieces(from: number): AsyncIterable<Piece>;
}
