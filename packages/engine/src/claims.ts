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
  type Link,
  type WorkspacePath,
} from '@palimpsest/core';
import { type CallPlan, plannedWrite } from './call-plan.js';
import type { ContentStore } from './content/content.js';
import { unproven, versionOf } from './known-tree.js';
import type { Observation } from './observer.js';

/** A call that ran while something changed, and what is known of its end. */
export type Suspect = { readonly plan: CallPlan; readonly outcome: CallOutcome };

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
    const claims = weighed.map(({ claim }) => claim);
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
    const others = claims.filter((claim) => claim !== splitter.claim);
    return [
      { path, before, after: middle, attribution: own },
      { path, before: middle, after, attribution: undecided([splitter.claim, ...others]) },
    ];
  }

  async #weigh(observation: Observation, { plan, outcome }: Suspect, scene: Scene): Promise<Weighed> {
    const { session, agent, call, tool } = plan;
    const claimed = (strength: ClaimStrength): Claim => ({ session, agent, call, tool, strength });
    const planned = plannedWrite(plan, observation.path);
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
      case 'foreign':
        return { claim: claimed(plan.opaque ? 'possible' : 'impossible'), explanation };
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

  async #bytes(content: ContentId | null): Promise<Uint8Array | null | 'absent'> {
    if (content === null) return null;
    const found = await this.#content.get(content);
    return found.ok ? found.value : 'absent';
  }

  async #keep(bytes: Uint8Array, like: FileVersion | null): Promise<FileVersion> {
    return { content: await this.#content.put(bytes), mode: like?.mode ?? '100644', size: bytes.length };
  }
}

/** An edit tool that failed did nothing it does not show; a command that failed may have done half of its work. */
function isRuledOut(plan: CallPlan, outcome: CallOutcome): boolean {
  return outcome === 'failed' && plan.action !== 'shell' && !plan.opaque;
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
