import { encodeUtf8 } from './utf8.js';

/**
 * A byte text has one character per byte, so that bytes can be searched, split and joined as text, and come back
 * unchanged also when they are not valid UTF-8.
 */
export type ByteText = string;

/** Arguments per call of `fromCharCode`: engines limit the length of an argument list. */
const CHUNK_BYTES = 8192;

export function bytesToText(bytes: Uint8Array): ByteText {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    // Spreading would go through an iterator, byte by byte.
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + CHUNK_BYTES) as unknown as number[]);
  }
  return text;
}

export function textToBytes(text: ByteText): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The UTF-8 of a text. */
export function encodeText(text: string): ByteText {
  return /^[\0-\x7f]*$/.test(text) ? text : bytesToText(encodeUtf8(text));
}
