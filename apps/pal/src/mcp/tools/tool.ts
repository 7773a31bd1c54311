import type { z } from 'zod';
import type { Connection } from '../connection/connection.js';

/** A tool as data: what the client is told of it, and what it does. */
export type Tool<Input extends z.ZodObject = z.ZodObject, Output extends OutputSchema = OutputSchema> = {
  readonly name: `pal_${string}`;
  readonly title: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  /** Null for a tool whose answer is nothing but its text. */
  readonly output: Output;
  /** Throws a failure where it cannot do what was asked. */
  run(asked: z.infer<Input>, context: Context): Promise<Reply<DataOf<Output>>>;
};

type OutputSchema = z.ZodObject | null;
type DataOf<Output extends OutputSchema> = Output extends z.ZodObject ? z.infer<Output> : object;

/**
 * `looks` changes nothing. `notes` adds to what we know, and twice is the same as once. `adds` writes, but takes nothing
 * away. `replaces` writes over something.
 */
export type Effect = 'looks' | 'notes' | 'adds' | 'replaces';

export type Context = {
  readonly connection: Connection;
  /** What the client sent with the call besides its arguments. */
  readonly meta: unknown;
};

/** Once for the model and once for programs. */
export type Reply<T> = { readonly text: string; readonly data: T };

/** Infers what the schemas say, so that `run` is checked against them. */
export function tool<Input extends z.ZodObject, Output extends OutputSchema>(definition: Tool<Input, Output>): Tool {
  return definition as unknown as Tool;
}

export function annotationsOf(effect: Effect) {
  const shared = { openWorldHint: false };
  switch (effect) {
    case 'looks':
      return { ...shared, readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    case 'notes':
      return { ...shared, readOnlyHint: false, destructiveHint: false, idempotentHint: true };
    case 'adds':
      return { ...shared, readOnlyHint: false, destructiveHint: false, idempotentHint: false };
    case 'replaces':
      return { ...shared, readOnlyHint: false, destructiveHint: true, idempotentHint: false };
  }
}
