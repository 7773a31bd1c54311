import { difference } from './photograph.js';
import type { Stage } from './stage.js';
import { isAgents } from './token.js';
import { allTokens } from './verdicts.js';
import { must } from './violation.js';

/** Takes the last decision back, or does it again: exactly the bytes before, unless somebody wrote meanwhile. */
export async function playUndo(stage: Stage, verb: 'undo' | 'redo'): Promise<void> {
  const { desk, table } = stage;
  table.count('What is asked of us', verb);
  const way = stage.way();
  const before = stage.now;
  const dry = stage.answered(await desk.undo(verb, true, way), `a dry ${verb}`);
  must(difference(before, stage.photograph()).length === 0, 3, () => `a dry run of ${verb} wrote`);
  const said = stage.answered(await desk.undo(verb, false, way), verb);
  stage.say(`${verb} over ${way} = ${said.ok ? JSON.stringify(said.value) : said.code}`);
  await stage.settle();
  must(
    said.ok === dry.ok,
    3,
    () =>
      `the dry ${verb} says ${dry.code || 'done'}, then it is ${said.code || 'done'}: ${JSON.stringify(said.value)}`,
  );
  if (!said.ok) {
    must(difference(before, stage.now).length === 0, 3, () => `a refused ${verb} wrote`);
    return;
  }
  const { operation, written, seq } = said.value as { operation: number; written: readonly string[]; seq: number };
  must(
    JSON.stringify(written) === JSON.stringify(dry.value.written),
    3,
    () =>
      `the dry ${verb} said it would write ${JSON.stringify(dry.value.written)}, then it wrote ${JSON.stringify(written)}`,
  );
  const there = allTokens(stage, stage.now);
  const lost = [...allTokens(stage, before)].filter(
    (token) => !there.has(token) && !isAgents(token) && !stage.tokens.isLoose(token) && !stage.moved.has(token),
  );
  const decision = stage.decisions.get(operation);
  if (decision !== undefined && difference(before, decision.after).length === 0) {
    const wrong = difference(decision.before, stage.now);
    must(wrong.length === 0, 3, () => `${verb} of ${operation} did not give the bytes before it: ${wrong.join(', ')}`);
  } else {
    table.count('What is asked of us', 'undo after other things');
    // What people wrote may go only with the decision that had brought it back.
    const made = [...stage.ledger.changes.values()].filter((change) => change.seq === operation);
    const held = new Set(made.flatMap((change) => stage.tokensOf(change.before?.id)));
    const brought = new Set(made.flatMap((change) => stage.tokensOf(change.after?.id)).filter((one) => !held.has(one)));
    const people = lost.filter((token) => !brought.has(token));
    must(people.length === 0, 1, () => `${verb} took lines of people: ${people.join(' ')}`);
  }
  if (verb === 'redo' || stage.ledger.operations.find((one) => one.seq === operation)?.kind === 'undone')
    table.count('What is asked of us', 'undo of undo');
  stage.decisions.set(seq, { seq, before, after: stage.now });
}

/** Settles a conflict each way. */
export async function playResolve(stage: Stage): Promise<void> {
  const { desk, chance, table } = stage;
  const { changes } = stage.good(await desk.conflicts(), 'conflicts') as {
    changes: readonly { id: string; path: string }[];
  };
  if (changes.length === 0) return;
  const { id } = chance.pick(changes);
  const roll = chance.below(3);
  const text = `${stage.tokens.line('human')}\n`;
  const how =
    roll === 0
      ? ({ take: 'ours' } as const)
      : roll === 1
        ? ({ take: 'theirs' } as const)
        : { base64: Buffer.from(text).toString('base64') };
  table.count('What is asked of us', `resolve ${'take' in how ? how.take : 'with a text'}`);
  const before = stage.now;
  const said = stage.answered(await desk.resolve(id, how), 'resolve');
  stage.say(
    `resolve ${id} ${JSON.stringify('take' in how ? how : text)} = ${said.ok ? JSON.stringify(said.value) : said.code}`,
  );
  await stage.settle();
  if (!said.ok) {
    must(difference(before, stage.now).length === 0, 3, () => 'a refused resolve wrote');
    return;
  }
  const { written, seq } = said.value as { written: readonly string[]; seq: number };
  for (const path of difference(before, stage.now))
    must(written.includes(path), 3, () => `resolving wrote ${path}, which it does not say`);
  if (roll === 0) must(written.length === 0, 3, () => 'ours is what is there, and it was written');
  for (const token of allTokens(stage, before)) if (!allTokens(stage, stage.now).has(token)) stage.moved.add(token);
  stage.decisions.set(seq, { seq, before, after: stage.now });
}
