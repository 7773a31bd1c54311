import { asContentId, type ContentId } from '@palimpsest/core';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { ContentStore } from './content.js';

const text = (words: string) => Buffer.from(words);
const absent = asContentId('0123456789012345678901234567890123456789');

/** What every content store must do. */
export function contentContract(name: string, open: () => Promise<ContentStore>): void {
  describe(name, () => {
    const opened: ContentStore[] = [];
    const fresh = async () => {
      const store = await open();
      opened.push(store);
      return store;
    };
    afterAll(async () => {
      for (const store of opened) await store.close();
    });
    const bytesOf = async (store: ContentStore, id: ContentId) => {
      const got = await store.get(id);
      return got.ok ? Buffer.from(got.value) : got.error;
    };

    test('[REC4c] the id is the git blob id, with and without writing', async () => {
      const store = await fresh();
      expect(store.idOf(text('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
      expect(await store.has(store.idOf(text('hello\n')))).toBe(false);
      expect(await store.put(text('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
      expect(await store.has(store.idOf(text('hello\n')))).toBe(true);
    });

    test('[CAP9b] any bytes come back byte for byte, alone and in a lot', async () => {
      const store = await fresh();
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 24 }), async (list) => {
          const ids = await store.putMany(list);
          expect(ids).toEqual(list.map((bytes) => store.idOf(bytes)));
          for (const [n, id] of ids.entries()) expect(await bytesOf(store, id)).toEqual(Buffer.from(list[n] ?? []));
        }),
        { numRuns: 15 },
      );
    });

    test('[REC4a] putting twice is putting once', async () => {
      const store = await fresh();
      const [first, second] = await Promise.all([store.put(text('twice')), store.put(text('twice'))]);
      expect(first).toBe(second);
      expect(await store.putMany([text('twice'), text('twice')])).toEqual([first, first]);
      expect(await bytesOf(store, first)).toEqual(text('twice'));
    });

    test('nothing put is nothing done', async () => {
      expect(await (await fresh()).putMany([])).toEqual([]);
    });

    test('[CHK8a] what is not there is missing', async () => {
      const store = await fresh();
      expect(await store.get(absent)).toEqual({ ok: false, error: { code: 'missing', id: absent } });
      expect(await store.has(absent)).toBe(false);
    });

    test('sizes are told for what is there, and the rest is left out', async () => {
      const store = await fresh();
      const ids = await store.putMany(Array.from({ length: 40 }, (_, n) => text('x'.repeat(n))));
      const sizes = await store.sizes([...ids, absent]);
      expect([...sizes]).toEqual(ids.map((id, n) => [id, n]));
      expect((await store.sizes([])).size).toBe(0);
    });

    test('changing an array afterwards changes nothing that is stored', async () => {
      const store = await fresh();
      const mine = Buffer.from('original');
      const id = await store.put(mine);
      mine.fill(0);
      const got = await store.get(id);
      if (got.ok) got.value.fill(1);
      expect(await bytesOf(store, id)).toEqual(text('original'));
    });

    test('[SEC6a] what is forgotten is gone, the rest stays, and it can be put again', async () => {
      const store = await fresh();
      const ids = await store.putMany(Array.from({ length: 40 }, (_, n) => text(`number ${n}`)));
      const single = await store.put(text('a password'));
      await store.get(single);
      await store.forget([single, ...ids.slice(0, 3), absent]);
      for (const id of [single, ...ids.slice(0, 3)])
        expect(await store.get(id)).toMatchObject({ ok: false, error: { code: 'missing' } });
      for (const [n, id] of ids.entries()) if (n >= 3) expect(await bytesOf(store, id)).toEqual(text(`number ${n}`));
      expect(await store.put(text('a password'))).toBe(single);
      expect(await bytesOf(store, single)).toEqual(text('a password'));
    });

    test('[CHK8i] many at once keep their answers apart', async () => {
      const store = await fresh();
      const texts = Array.from({ length: 60 }, (_, n) => text(`parallel ${n}`));
      const ids = await Promise.all(texts.map((bytes) => store.put(bytes)));
      const read = await Promise.all(ids.map((id) => bytesOf(store, id)));
      expect(read).toEqual(texts);
    });
  });
}
