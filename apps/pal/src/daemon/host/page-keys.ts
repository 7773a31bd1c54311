import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from '../../link/token.js';
import { writePrivateJson } from '../../surroundings/private-file.js';

/**
 * Who may use the page. `pal ui` asks for a code, which a browser exchanges once for two secrets: a cookie that no script can
 * read, and a key that the page sends along. A cookie goes to every port of this machine, so another server that the person
 * visits gets it too; the key goes to us alone. Each is worth nothing without the other.
 *
 * What is kept survives a restart of the daemon, under the page too, and is only the hash of either.
 */
export class PageKeys {
  readonly #dataDir: string;
  readonly #now: () => number;
  /** Codes that nobody has exchanged yet, with the time when they expire. */
  readonly #codes = new Map<string, number>();
  #pages: readonly Page[];
  /** Where those pages are; whoever listens there while we do not may learn what they send. */
  #port: number;

  constructor(dataDir: string, now: () => number) {
    this.#dataDir = dataDir;
    this.#now = now;
    const { pages, port } = readPages(dataDir);
    this.#pages = pages;
    this.#port = port;
  }

  makeCode(): string {
    for (const [code, until] of this.#codes) if (until <= this.#now()) this.#codes.delete(code);
    const code = makeToken();
    this.#codes.set(hash(code), this.#now() + CODE_LIFETIME_MS);
    return code;
  }

  isCode(code: string): boolean {
    return (this.#codes.get(hash(code)) ?? 0) > this.#now();
  }

  /** Null for a code that is no more, or never was. `port`: where the page is, so that the next daemon is there too. */
  exchange(code: string, port: number): Entrance | null {
    if (!this.isCode(code)) return null;
    this.#codes.delete(hash(code));
    const entrance = { cookie: makeToken(), key: makeToken() };
    const entered = { cookie: hash(entrance.cookie), key: hash(entrance.key), at: this.#now() };
    const others = this.isAt(port) ? this.#pages.filter((page) => this.#isYoung(page)) : [];
    this.#pages = [entered, ...others].slice(0, MOST_PAGES);
    this.#port = port;
    writePrivateJson(pagesFile(this.#dataDir), { port, pages: this.#pages } satisfies Stored);
    return entrance;
  }

  /** Somebody else may have had the old port meanwhile, so that pages from there are let go. */
  isAt(port: number): boolean {
    return this.#port === port;
  }

  /** Whether a browser that has this cookie was let in; what it may ask for besides the page itself needs the key too. */
  knowsCookie(cookie: string): boolean {
    return this.#pages.some((page) => this.#isYoung(page) && isSame(cookie, page.cookie));
  }

  knows(cookie: string, key: string): boolean {
    return this.#pages.some((page) => this.#isYoung(page) && isSame(cookie, page.cookie) && isSame(key, page.key));
  }

  #isYoung({ at }: Page): boolean {
    return at + PAGE_LIFETIME_MS > this.#now();
  }
}

export type Entrance = { readonly cookie: string; readonly key: string };
type Page = { readonly cookie: string; readonly key: string; readonly at: number };
type Stored = { readonly port: number; readonly pages: readonly Page[] };

/** Long enough for a browser to start on a busy machine. */
const CODE_LIFETIME_MS = 2 * 60_000;
export const PAGE_LIFETIME_MS = 30 * 24 * 60 * 60_000;
const MOST_PAGES = 20;

/** Where the page was last, for the next daemon: an open page finds it again. */
export function pagePort(dataDir: string): number | null {
  return readPages(dataDir).port || null;
}

function pagesFile(dataDir: string): string {
  return join(dataDir, 'pages.json');
}

/** What cannot be read lets nobody in. */
function readPages(dataDir: string): Stored {
  try {
    const value = JSON.parse(readFileSync(pagesFile(dataDir), 'utf8')) as Partial<Stored> | null;
    const { port, pages } = value ?? {};
    if (!Number.isSafeInteger(port) || !Array.isArray(pages)) return NOBODY;
    return { port: port!, pages: pages.filter(isPage) };
  } catch {
    return NOBODY;
  }
}

const NOBODY: Stored = { port: 0, pages: [] };

function isPage(value: unknown): value is Page {
  const { cookie, key, at } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof cookie === 'string' && typeof key === 'string' && typeof at === 'number';
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function isSame(secret: string, hashed: string): boolean {
  const [sent, kept] = [Buffer.from(hash(secret)), Buffer.from(hashed)];
  return sent.length === kept.length && timingSafeEqual(sent, kept);
}
