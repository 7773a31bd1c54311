import {
  type Attribution,
  attribute,
  type CallOutcome,
  type Circumstance,
  type Claim,
  type ClaimStrength,
  type ContentId,
  type Effect,
  type Explanation,
  explain,
  type FileVersion,
  isHalfWritten,
  isSameFile,
  type Link,
  sameButForFormat,
  tallyLines,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import { unproven, versionOf } from '../store/known-tree.js';
import { type CallPlan, plannedWrite } from './call-plan.js';
import type { Observation } from './observer.js';
import { renamesAmong } from './renames-among.js';

/**
 * A call that ran while something changed, and what is known of its end. `perhaps`: it only may have run then. `spent`:
 * what it was to write to the file is proven to have come before, or after, the change in question; or it says that it
 * wrote, and nothing is proven to be what it wrote.
 */
export type Suspect = {
  readonly plan: CallPlan;
  readonly outcome: CallOutcome;
  readonly ran?: 'perhaps';
  readonly spent?: 'before' | 'after' | 'nowhere';
};

/** What was going on while files changed. */
export type Scene = {
  readonly suspects: readonly Suspect[];
  readonly circumstance: Circumstance;
  /** What a file held before the changes that are being explained. */
  readonly contentBefore: (path: WorkspacePath) => ContentId | null;
};

/** Decides whose doing an observation is, from the calls that were open meanwhile. */
export class Claims {
  readonly #content: ContentStore;

  constructor(content: ContentStore) {
    this.#content = content;
  }

  /** Usually one link; more when part of a change is proven to be a call's and the rest is not. */
  async linksOf(observation: Observation, scene: Scene): Promise<readonly Link[]> {
    const { path } = observation;
    const { suspects, circumstance } = scene;
    const before = versionOf(observation.before);
    const after = versionOf(observation.after);
    const weighed = await Promise.all(suspects.map((suspect) => this.#weigh(observation, suspect, scene)));
    const claims = withoutOuter(
      weighed.map(({ claim }) => claim),
      suspects,
    );
    const splitter = weighed.find(({ explanation }) => explanation?.kind === 'split');
    const proven = claims.some((claim) => claim.strength === 'proven');
    if (splitter?.explanation?.kind !== 'split' || proven) {
      return [{ path, before, after, attribution: attribute(claims, circumstance) }];
    }
    const middle = await this.#keep(splitter.explanation.middle, after ?? before);
    const own = attribute([{ ...splitter.claim, strength: 'proven' }], circumstance);
    if (splitter.explanation.first === 'foreign') {
      // What is left without this call's part may be another call's, a person's, or again some of both.
      const rest = suspects.filter((_, index) => weighed[index] !== splitter);
      const left = { path, before: observation.before, after: unproven(path, middle) };
      const first = await this.linksOf(left, { ...scene, suspects: rest });
      return [...first, { path, before: middle, after, attribution: own }];
    }
    const others = claims.filter((_, index) => weighed[index] !== splitter);
    return [
      { path, before, after: middle, attribution: own },
      { path, before: middle, after, attribution: undecided([splitter.claim, ...others]) },
    ];
  }

  /** A link that is proven to be of these; several may write the same. */
  provenLink({ path, before, after }: Observation, provers: readonly Suspect[], circumstance: Circumstance): Link {
    const claims = provers.map(({ plan: { session, agent, call, tool }, ran }): Claim => {
      return { session, agent, call, tool, strength: 'proven', ran: ran ?? 'surely' };
    });
    return {
      path,
      before: versionOf(before),
      after: versionOf(after),
      attribution: attribute(claims, circumstance),
    };
  }

  /** Whether the bytes are what the call makes of one of the versions that it may have found. */
  async proves(
    { plan, outcome }: Suspect,
    bases: readonly (FileState | null)[],
    after: FileState | null,
    scene: Scene,
  ) {
    if (after === null) return false;
    const { path } = after;
    const planned = plannedWrite(plan, path);
    if (!planned?.effect) return false;
    const source = planned.from === null ? null : scene.contentBefore(planned.from);
    for (const before of bases) {
      const explanation = await this.#explain({ path, before, after }, planned.effect, outcome, source);
      if (explanation.kind === 'proven') return true;
    }
    return false;
  }

  /** Whether a version is what somebody sees who looks while the call is writing what it makes of one of `bases`. */
  async isHalfWay({ plan }: Suspect, bases: readonly (FileState | null)[], seen: FileState): Promise<boolean> {
    const effect = plannedWrite(plan, seen.path)?.effect;
    const after = effect ? await this.#bytes(seen.content) : 'absent';
    if (!effect || !(after instanceof Uint8Array)) return false;
    for (const base of bases) {
      const before = await this.#bytes(base?.content ?? null);
      if (before !== 'absent' && isHalfWritten(effect, before, after)) return true;
    }
    return false;
  }

  /** Whether a version is what became of another, as far as their lines tell. */
  async isAlike(before: FileVersion, after: FileVersion): Promise<boolean> {
    if (before.content === after.content) return true;
    const [old, next] = [await this.#bytes(before.content), await this.#bytes(after.content)];
    const readable = old instanceof Uint8Array && next instanceof Uint8Array;
    return readable && isSameFile(tallyLines(old), tallyLines(next));
  }

  /** The names that files went from, also with another text on the way. */
  async leftNames(observations: readonly Observation[]): Promise<ReadonlySet<WorkspacePath>> {
    const moves = observations.map(({ path, before, after }) => {
      const inodes = { before: before?.ino ?? 0, after: after?.ino ?? 0 };
      return { path, before: versionOf(before), after: versionOf(after), inodes };
    });
    return new Set((await renamesAmong(moves, this.#content)).values());
  }

  async #weigh(observation: Observation, suspect: Suspect, scene: Scene): Promise<Weighed> {
    const { plan, outcome, ran = 'surely', spent } = suspect;
    const { session, agent, call, tool } = plan;
    const claimed = (strength: ClaimStrength): Claim => ({ session, agent, call, tool, strength, ran });
    const planned = plannedWrite(plan, observation.path);
    if (spent !== undefined && spent !== 'nowhere' && !plan.opaque) {
      if (spent === 'after') return { claim: claimed('impossible'), explanation: null };
      // A formatter that runs along with the tool is the call's; whatever else comes after may be anybody's.
      const tail = await this.#isReformatted(observation);
      return { claim: tail ? claimed('likely') : { ...claimed('possible'), ran: 'perhaps' }, explanation: null };
    }
    if (planned === undefined) return { claim: claimed(plan.opaque ? 'possible' : 'impossible'), explanation: null };
    if (planned.effect === null)
      return { claim: claimed(isRuledOut(plan, outcome) ? 'impossible' : 'possible'), explanation: null };
    const source = planned.from === null ? null : scene.contentBefore(planned.from);
    const explanation = await this.#explain(observation, planned.effect, outcome, source);
    switch (explanation.kind) {
      case 'proven':
        return { claim: claimed('proven'), explanation };
      case 'likely':
      case 'split':
        return { claim: claimed('likely'), explanation };
      case 'unclear':
        return { claim: plan.opaque ? claimed('possible') : { ...claimed('possible'), ran: 'perhaps' }, explanation };
      case 'foreign':
        if (plan.opaque) return { claim: claimed('possible'), explanation };
        return spent === 'nowhere'
          ? { claim: { ...claimed('possible'), ran: 'perhaps' }, explanation }
          : { claim: claimed('impossible'), explanation };
    }
  }

  async #explain(
    observation: Observation,
    effect: Effect,
    outcome: CallOutcome,
    source: ContentId | null,
  ): Promise<Explanation> {
    const before = await this.#bytes(observation.before?.content ?? source);
    const after = await this.#bytes(observation.after?.content ?? null);
    const readable = before !== 'absent' && after !== 'absent';
    return readable ? explain(effect, before, after, outcome) : explain(null, null, null, outcome);
  }

  async #isReformatted({ before, after }: Observation): Promise<boolean> {
    const [old, next] = [await this.#bytes(before?.content ?? null), await this.#bytes(after?.content ?? null)];
    return old instanceof Uint8Array && next instanceof Uint8Array && sameButForFormat(old, next);
  }

  async #bytes(content: ContentId | null): Promise<Uint8Array | null | 'absent'> {
    if (content === null) return null;
    const found = await this.#content.get(content);
    return found.ok ? found.value : 'absent';
  }

  async #keep(bytes: Uint8Array, like: FileVersion | null): Promise<FileVersion> {
    return { content: await this.#content.put(bytes), mode: like?.mode ?? '100644', size: bytes.length };
  }
}

/** Which file of the disk it was, where the links begin and where they end: a file keeps its number when it is renamed. */
export function withInodes(links: readonly Link[], { before, after }: Observation): readonly Link[] {
  return links.map((link, index) => ({
    ...link,
    inodes: {
      before: index === 0 ? (before?.ino ?? 0) : 0,
      after: index === links.length - 1 ? (after?.ino ?? 0) : 0,
    },
  }));
}

/** An edit tool that failed did nothing it does not show; a command that failed may have done half of its work. */
function isRuledOut(plan: CallPlan, outcome: CallOutcome): boolean {
  return outcome === 'failed' && plan.action !== 'shell' && !plan.opaque;
}

/** A session that runs within another is the nearer hand: what it can have done is not the outer one's. */
function withoutOuter(claims: readonly Claim[], suspects: readonly Suspect[]): readonly Claim[] {
  const inner = suspects.filter((_, index) => claims[index]!.strength !== 'impossible');
  return claims.map((claim): Claim => {
    const yields = claim.strength !== 'proven' && inner.some(({ plan }) => plan.within.includes(claim.session));
    return yields ? { ...claim, strength: 'impossible' } : claim;
  });
}

type Weighed = { readonly claim: Claim; readonly explanation: Explanation | null };

/** What stands beside a proven part may be the same call's tail, such as a fixer it runs, or anybody's. */
function undecided(claims: readonly Claim[]): Attribution {
  const able = claims.filter((claim) => claim.strength !== 'impossible');
  return {
    author: { kind: 'unknown', candidates: able.map(({ session, call }) => ({ session, call })) },
    evidence: 'unknown',
  };
}
