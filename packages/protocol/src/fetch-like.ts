/** The part of `fetch` that we use, so that anything that can send a request will do: a browser, Node, an app in memory. */
export type FetchLike = (url: string, init: RequestLike) => Promise<ResponseLike>;

export type RequestLike = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

export type ResponseLike = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: BodyLike | null;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
};

/** A web stream, or anything that can be iterated, such as a stream of Node. */
export type BodyLike = AsyncIterable<Uint8Array> | { getReader(): ReaderLike };

export type ReaderLike = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
};

/** Leaving the loop cancels the stream. */
export async function* chunksOf(body: BodyLike): AsyncGenerator<Uint8Array, void, void> {
  if (!('getReader' in body)) {
    yield* body;
    return;
  }
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value !== undefined) yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
