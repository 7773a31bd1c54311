import type { Block, Message } from '../message.js';

/**
 * How many tokens a text is, without any provider's tokenizer. Unmeasured it errs upwards: too many tokens shorten a
 * context, too few break a request. What a provider counted for a request of known length makes it closer.
 */
export type TokenScale = {
  /** Estimated tokens are multiplied by this. */
  readonly factor: number;
  /** How many measurements it rests on. */
  readonly measured: number;
};

/** Before anything was measured: no text that people and agents write comes to more than this makes of it. */
export const CONSERVATIVE_SCALE: TokenScale = { factor: 1.4, measured: 0 };

/** What a provider adds for each message and each tool call around its text. */
const PER_MESSAGE = 4;
const PER_TOOL = 8;
/** An image or a document, of which we do not know the size. */
const PER_ATTACHMENT = 1600;

/** Measurements below this are mostly what the provider adds by itself. */
const WORTH_MEASURING = 200;
/** No tokenizer is further off than this; a number beyond it is of something else. */
const [LOWEST_FACTOR, HIGHEST_FACTOR] = [0.5, 3];
/** How much one measurement counts against those before. */
const WEIGHT = 0.3;
/** A measured scale still leaves some room. */
const MARGIN = 1.05;

export function textTokens(text: string, scale: TokenScale = CONSERVATIVE_SCALE): number {
  return Math.ceil(plainTokens(text) * scale.factor);
}

export function messageTokens(message: Message, scale: TokenScale = CONSERVATIVE_SCALE): number {
  let plain = PER_MESSAGE;
  for (const block of message.blocks) plain += blockTokens(block);
  return Math.ceil(plain * scale.factor);
}

/** The most characters, from the start of a text, that are surely within so many tokens. */
export function charsWithin(text: string, tokens: number, scale: TokenScale = CONSERVATIVE_SCALE): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textTokens(text.slice(0, middle), scale) <= tokens) low = middle;
    else high = middle - 1;
  }
  // Half a character is none.
  return low > 0 && low < text.length && isHighSurrogate(text.charCodeAt(low - 1)) ? low - 1 : low;
}

/** The scale after a provider has counted `counted` tokens for what `estimated` (unscaled, of factor 1) stood for. */
export function calibrated(scale: TokenScale, estimated: number, counted: number): TokenScale {
  if (estimated < WORTH_MEASURING || !Number.isFinite(counted) || counted <= 0) return scale;
  const seen = (counted / estimated) * MARGIN;
  if (seen < LOWEST_FACTOR || seen > HIGHEST_FACTOR) return scale;
  // Upwards at once, downwards slowly: being wrong upwards costs little.
  const weight = scale.measured === 0 || seen > scale.factor ? 1 : WEIGHT;
  return { factor: scale.factor * (1 - weight) + seen * weight, measured: scale.measured + 1 };
}

/** For measuring: what messages come to before any scale. */
export function plainMessageTokens(messages: Iterable<Message>): number {
  let tokens = 0;
  for (const { blocks } of messages) {
    tokens += PER_MESSAGE;
    for (const block of blocks) tokens += blockTokens(block);
  }
  return tokens;
}

function blockTokens(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return plainTokens(block.text);
    case 'tool-call':
      return PER_TOOL + plainTokens(block.tool) + plainTokens(JSON.stringify(block.input) ?? '');
    case 'tool-result':
      return PER_TOOL + plainTokens(block.text);
    case 'attachment':
      return PER_ATTACHMENT;
  }
}

/**
 * Words come about four letters to a token. What is no word is more: digits, punctuation, and letters that change their case
 * or stand among digits, as in keys and base64. Outside of ASCII it depends on the script, from two characters to a token
 * down to one in two.
 */
function plainTokens(text: string): number {
  let tokens = 0;
  let before = SPACE;
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    tokens += COST[kind]!;
    // A run of spaces is one token, and the space before a word is part of it.
    if (kind === SPACE && before === SPACE) tokens += 0.05;
    else if (isTurn(before, kind)) tokens += 0.6;
    before = kind;
  }
  return tokens;
}

const [SPACE, LOWER, UPPER, DIGIT, SIGN, ALPHABET, SYLLABLE, IDEOGRAPH, HALF] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const COST = [0.12, 0.22, 0.25, 0.45, 0.55, 0.6, 1.15, 2, 1.6];

function isTurn(before: number, kind: number): boolean {
  if (kind === UPPER) return before === LOWER || before === DIGIT;
  if (kind === DIGIT) return before === LOWER || before === UPPER;
  return kind === LOWER && before === DIGIT;
}

function kindOf(code: number): number {
  if (code < 0x80) {
    if (code >= 0x61 && code <= 0x7a) return LOWER;
    if (code === 0x20) return SPACE;
    if (code >= 0x41 && code <= 0x5a) return UPPER;
    return code >= 0x30 && code <= 0x39 ? DIGIT : SIGN;
  }
  // Latin with accents, Greek, Cyrillic, Hebrew, Arabic; then the scripts of South and South-East Asia, and Hangul.
  if (code < 0x0700) return ALPHABET;
  if (code < 0x1e00 || (code >= 0xac00 && code <= 0xd7a3)) return SYLLABLE;
  if (code < 0x2000) return ALPHABET;
  return code >= 0xd800 && code <= 0xdfff ? HALF : IDEOGRAPH;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
