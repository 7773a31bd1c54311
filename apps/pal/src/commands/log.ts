import type { Client, OperationJson } from '@palimpsest/protocol';
import type { CommandFile, Said } from '../cli/command.js';
import { clientOf, failureOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { type OperationWords, operationText } from '../print/operations.js';

/** How many are asked for at once; the answer is put together from as many as it takes. */
const PAGE = 5_000;

export const command: CommandFile = {
  summary: 'list the operations of the log, newest last',
  section: 'Look',
  examples: [
    { line: 'pal log --since 120', does: 'what came after operation 120' },
    { line: 'pal log --follow', does: 'also what comes from now on, until Ctrl-C' },
    { line: 'pal log --follow --json', does: 'as JSON Lines, for a program' },
  ],
  define: (self, act) =>
    self
      .option('--since <seq>', 'only operations after this one', seqOf, 0)
      .option('--follow', 'go on with what happens from now on')
      .action(
        act(async (face, { since, follow }: { since: number; follow?: true }) => {
          const client = await clientOf(face);
          if (follow) return { each: followed(client, since) };
          const operations = await all(client, since);
          return {
            json: { operations },
            pages: true,
            text: (style) => operations.map((operation) => operationText(operation, style)).join('\n'),
          };
        }),
      ),
};

async function all(client: Client, since: number): Promise<readonly OperationWords[]> {
  const operations: OperationWords[] = [];
  for (let after = since; ; after = operations.at(-1)!.seq) {
    const page = said(await client.listOperations({ query: { since: after, limit: PAGE } }));
    operations.push(...(page.operations as readonly OperationWords[]));
    if (page.operations.length < PAGE) return operations;
  }
}

async function* followed(client: Client, since: number): AsyncGenerator<Omit<Said, 'exit'>> {
  for (;;) {
    let from = since;
    for (const operation of await all(client, from)) {
      from = operation.seq;
      yield line(operation);
    }
    for await (const event of client.events({ since: from })) {
      if (event.kind === 'operation') yield line(event.operation);
      if (event.kind === 'failed') throw failureOf(event.failure);
      // What lies between cannot be replayed from the stream, but the log has it.
      if (event.kind === 'reset') break;
      if (event.kind === 'operation') from = event.seq;
    }
    since = from;
  }
}

function line(operation: OperationJson | OperationWords): Omit<Said, 'exit'> {
  return { json: operation, text: (style) => operationText(operation as OperationWords, style) };
}

function seqOf(written: string): number {
  const seq = Number(written);
  if (Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw new Failure(
    'usage',
    `${written} is not a number of an operation`,
    'for example `pal log --since 120`; `pal log` shows the numbers',
  );
}
