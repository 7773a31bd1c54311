import type { ChangeJson, Client } from '@palimpsest/protocol';
import { said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { counted } from '../print/amount.js';
import { type HunkPlace, placesIn } from './hunk-place.js';
import type { Asks, Effect } from './review-state.js';

export type Done = { readonly message: string; readonly asks?: Asks };

/** What the review asks of the daemon: what waits, and that it be decided. */
export class ReviewDesk {
  readonly #client: Client;
  /** Patches by change, which do not change as long as the same hunks wait. */
  readonly #known = new Map<string, readonly HunkPlace[]>();
  #seq: number | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  async look(): Promise<readonly HunkPlace[]> {
    const [{ changes }, { seq }] = [said(await this.#client.listChanges()), said(await this.#client.status())];
    this.#seq = seq;
    const places: HunkPlace[] = [];
    for (const change of changes) places.push(...(await this.#placesOf(change)));
    return places;
  }

  /** Says what was done, or what has to be asked first. What is refused is said too, and nothing is done. */
  async act(effect: Exclude<Effect, { readonly kind: 'quit' }>): Promise<Done> {
    try {
      return await this.#act(effect);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { message: error.message };
    }
  }

  async #act(effect: Exclude<Effect, { readonly kind: 'quit' }>): Promise<Done> {
    switch (effect.kind) {
      case 'undo':
      case 'redo': {
        const { decision, written } = said(await this.#client[effect.kind]({ body: {} }));
        const what =
          decision === null ? '' : ` the ${decision.verdict ?? decision.kind} of ${decision.paths.join(', ')}`;
        return {
          message: `${effect.kind === 'undo' ? 'undone:' : 'done again:'}${what} (${counted(written.length, 'file')} written)`,
        };
      }
      case 'accept': {
        const { accepted } = said(await this.#client.accept({ body: { ...this.#selection(effect), ...this.#at() } }));
        return { message: `accepted ${nameOf(effect)}${accepted.length === 0 ? ' (nothing was open)' : ''}` };
      }
      case 'reject':
        return this.#reject(effect);
    }
  }

  async #reject(effect: Extract<Effect, { readonly kind: 'reject' }>): Promise<Done> {
    const body = { ...this.#selection(effect), ...(effect.comment === undefined ? {} : { comment: effect.comment }) };
    if (effect.sure === undefined) {
      const { cascaded, conflicts } = said(await this.#client.reject({ body: { ...body, dryRun: true } }));
      const along = [
        ...(cascaded.length === 0 ? [] : [`takes ${cascaded.join(', ')} along`]),
        ...(conflicts.length === 0 ? [] : [`is in conflict with what came later (${conflicts.join(', ')})`]),
      ];
      if (along.length > 0)
        return {
          message: '',
          asks: { kind: 'sure', why: `this ${along.join(' and ')}.`, effect: { ...effect, sure: true } },
        };
    }
    const { rejected, conflicts } = said(await this.#client.reject({ body: { ...body, ...this.#at() } }));
    if (rejected.length === 0 && conflicts.length > 0)
      return { message: 'in conflict with what came later: `pal conflicts` shows both sides' };
    return { message: `rejected ${nameOf(effect)}; u undoes it` };
  }

  #selection({ part, place: { change, hunk } }: Extract<Effect, { readonly part: unknown }>) {
    return part === 'hunk' && hunk !== null ? { changes: [change.id], hunks: [hunk.id] } : { changes: [change.id] };
  }

  #at() {
    return this.#seq === undefined ? {} : { at: this.#seq };
  }

  async #placesOf(change: ChangeJson): Promise<readonly HunkPlace[]> {
    const key = `${change.id} ${change.hunks.map(({ status }) => status).join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const places = placesIn(change, await this.#patchOf(change));
    this.#known.set(key, places);
    return places;
  }

  async #patchOf({ id, reversible, binary }: ChangeJson): Promise<string | null> {
    if (!reversible || binary) return null;
    const patch = await this.#client.getPatch({ params: { change: id } });
    return patch.ok ? new TextDecoder().decode(patch.value) : null;
  }
}

function nameOf({ part, place: { change, hunk } }: Extract<Effect, { readonly part: unknown }>): string {
  return part === 'hunk' && hunk !== null ? `line ${hunk.newStart} of ${change.path}` : change.path;
}
