import { createHash, timingSafeEqual } from 'node:crypto';

export type RequestFacts = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** The key of the page, and the code that it is exchanged for. */
  readonly pageKey: string | undefined;
  readonly code: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
};

/** `stranger` must learn nothing at all; the other refusals are for someone who holds the token and erred. */
export type Admitted = 'welcome' | 'stranger' | 'wrong-host' | 'wrong-origin';
export type Admission = (request: RequestFacts) => Admitted;

/**
 * Decides who is served. What it knows them by keeps strangers out; the host keeps out web pages whose name was made to
 * point at this machine; the origin keeps out every page that is not our own.
 */
export function admission(knows: (request: RequestFacts) => boolean, port: number): Admission {
  const hosts: ReadonlySet<string> = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  const origins: ReadonlySet<string> = new Set([...hosts].map((host) => `http://${host}`));
  return (request) => {
    const { host, origin } = request;
    if (!knows(request)) return 'stranger';
    if (host === undefined || !hosts.has(host.toLowerCase())) return 'wrong-host';
    return origin === undefined || origins.has(origin.toLowerCase()) ? 'welcome' : 'wrong-origin';
  };
}

/** Whoever holds the token. */
export function byToken(token: string): (request: RequestFacts) => boolean {
  const tokenHash = hash(token);
  return ({ authorization }) => {
    const sent = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1] ?? '';
    // Hashes are of one length, so that comparing them takes the same time whatever was sent.
    return timingSafeEqual(hash(sent), tokenHash);
  };
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
