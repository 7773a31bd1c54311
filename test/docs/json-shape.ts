import { z } from 'zod';

/** The parts of JSON Schema that our shapes use. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $defs?: Readonly<Record<string, Schema>>;
};

/** A shape as JSON Schema; those it names are collected, so that each is described once. */
export function schemaOf(shape: z.ZodType, io: 'input' | 'output', named: Map<string, Schema>): Schema {
  const { $defs = {}, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as Schema;
  for (const [name, each] of Object.entries($defs)) if (!named.has(name)) named.set(name, each);
  return schema;
}

/** Its fields as rows of a table; nothing for what is no object. */
export function fieldRows(schema: Schema): readonly string[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = required.has(name) ? '' : '?';
    return `| \`${name}${optional}\` | ${cell(typeText(field))} | ${cell(field.description ?? '')} |`;
  });
}

/** As TypeScript would write it, with a link where a shape has a name. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return link(schema.$ref.split('/').at(-1)!);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' \\| ');
  if (schema.allOf !== undefined) return schema.allOf.map(typeText).join(' & ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' \\| ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.type)) return schema.type.join(' \\| ');
  switch (schema.type) {
    case 'array': {
      if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeText).join(', ')}]`;
      const of = typeText(schema.items ?? {});
      return of.includes(' ') ? `(${of})[]` : `${of}[]`;
    }
    case 'object':
      return objectText(schema);
    default:
      return typeof schema.type === 'string' ? schema.type : 'anything';
  }
}

function objectText({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    return typeof additionalProperties === 'object' ? `{[name]: ${typeText(additionalProperties)}}` : 'object';
  }
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(field)}`,
  );
  return `{${fields.join(', ')}}`;
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}

/** A row is one line. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ');
}
