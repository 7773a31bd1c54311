import { createHash } from 'node:crypto';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** Forty hexadecimal digits, lower case. It becomes part of file names and of lines to git, so the rim checks it. */
export type ObjectId = string;

export type GitObject = { readonly type: ObjectType; readonly bytes: Buffer };

export function isObjectId(text: string): text is ObjectId {
  return /^[0-9a-f]{40}$/.test(text);
}

export function isObjectType(text: string): text is ObjectType {
  return text === 'blob' || text === 'tree' || text === 'commit' || text === 'tag';
}

/** The header git hashes and stores in front of the bytes. */
export function objectHeader(type: ObjectType, sizeBytes: number): Buffer {
  return Buffer.from(`${type} ${sizeBytes}\0`, 'latin1');
}

export function hashObject(type: ObjectType, bytes: Uint8Array): ObjectId {
  return createHash('sha1').update(objectHeader(type, bytes.byteLength)).update(bytes).digest('hex');
}
