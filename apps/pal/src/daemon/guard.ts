import { createHash, timingSafeEqual } from 'node:crypto';

export type RequestFacts = {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
};

/** `stranger` must learn nothing at all; the other refusals are for someone who holds the token and erred. */
export type Verdict = 'welcome' | 'stranger' | 'wrong-host' | 'wrong-origin';

/**
 * Decides who is served. The token keeps strangers out; the host keeps out web pages whose name was made to point at
 * this machine; the origin keeps out every page that is not our own.
 */
export class Guard {
  readonly #tokenHash: Buffer;
  readonly #hosts: ReadonlySet<string>;

  constructor(token: string, port: number) {
    this.#tokenHash = hash(token);
    this.#hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  }

  judge({ authorization, host, origin }: RequestFacts): Verdict {
    if (!this.#holdsToken(authorization)) return 'stranger';
    if (host === undefined || !this.#hosts.has(host.toLowerCase())) return 'wrong-host';
    if (origin !== undefined && !this.#isOwn(origin)) return 'wrong-origin';
    return 'welcome';
  }

  /** Hashes are of one length, so that comparing them takes the same time whatever was sent. */
  #holdsToken(authorization: string | undefined): boolean {
    const token = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(hash(token), this.#tokenHash);
  }

  #isOwn(origin: string): boolean {
    return origin.startsWith('http://') && this.#hosts.has(origin.slice('http://'.length).toLowerCase());
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
