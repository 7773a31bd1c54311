import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS } from '@palimpsest/engine';
import {
  ROUTES,
  type Route,
  refusalTable,
  SETTING_NAMES,
  settingChoices,
  settingDescription,
  settingText,
} from '@palimpsest/protocol';
import { EXIT } from '@palimpsest/protocol/light';
import type { Command } from 'commander';
import { TOOLS } from '../../apps/pal/src/mcp/tools.js';
import { fieldRows, type Schema, schemaOf, typeText } from './json-shape.js';

const MADE = '<!-- Made from the code by `npm run docs`. -->';

/** What `pal help` says, all of it. */
export function commandsPage(program: Command): string {
  const commands = leaves(program, []).filter(([words]) => words[0] !== 'help');
  return page('Commands', 'What `pal help COMMAND` says.', [
    fenced(helpOf(program)),
    ...commands.flatMap(([words, command]) => [`## pal ${words.join(' ')}`, fenced(helpOf(command))]),
  ]);
}

export function settingsPage(): string {
  const rows = SETTING_NAMES.map((name) => {
    const at: unknown = name.split('.').reduce<unknown>((value, key) => (value as Fields)[key], DEFAULT_SETTINGS);
    return `| \`${name}\` | \`${settingText(name, at)}\` | ${settingChoices(name)} | ${settingDescription(name)} |`;
  });
  return page('Settings', 'With the value that holds unless you set one. [More about each](../settings.md).', [
    ['| setting | at first | can be | what it is |', '|---|---|---|---|', ...rows].join('\n'),
  ]);
}

export function httpPage(): string {
  const named = new Map<string, Schema>();
  const routes = Object.values(ROUTES).map((route) => routeText(route, named));
  // A shape may name shapes of its own; describing one finds them.
  const shapes = [...named].sort(([a], [b]) => a.localeCompare(b));
  return page(
    'HTTP',
    `Every request goes to 127.0.0.1, with \`Authorization: Bearer TOKEN\`; port and token stand in \`daemon.json\` in the data
folder ([an example](../other-agents.md#http)). Bodies and answers are JSON. \`{workspace}\` is the id that
\`POST /v1/workspaces\` answers with. What fails is answered with an [error](errors.md). The daemon describes all of this at
\`/openapi.json\` too.`,
    [...routes, '## Shapes', ...shapes.flatMap(([name, schema]) => [`### ${name}`, shapeText(schema)])],
  );
}

export function mcpPage(): string {
  const named = new Map<string, Schema>();
  const tools = TOOLS.map(({ name, title, description, effect, input }) => {
    const fields = fieldTable('takes', schemaOf(input, 'input', named));
    return [`## ${name}`, `**${title}**${effect === 'looks' ? ', changes nothing' : ''}. ${description}`, fields];
  });
  return page(
    'MCP tools',
    'What a client of `pal mcp` can call. [How to add it](../other-agents.md#mcp).',
    tools.flat(),
  );
}

/** The declarations themselves: their comments are the documentation. */
export function libraryPage(): string {
  const parts = [
    ['open-workspace.ts', 'OpenOptions'],
    ['workspace.ts', 'Workspace'],
    ['workspace.ts', 'BeginRequest'],
    ['workspace.ts', 'EndRequest'],
    ['workspace.ts', 'EndResult'],
    ['workspace.ts', 'WorkspaceStatus'],
    ['review/reviewer.ts', 'ReviewVerbs'],
    ['basis/settings.ts', 'Settings'],
  ] as const;
  return page(
    'The library',
    `\`openWorkspace(folder, options)\` of \`@palimpsest/engine\` answers with an \`Outcome\`: \`{ ok: true, value }\` or
\`{ ok: false, error }\`, where \`error.code\` is one of the [refusals](errors.md). [An example](../../README.md#as-a-library).
The shapes that are named and not shown are exported beside these, with comments of their own.`,
    parts.flatMap(([file, name]) => [`## ${name}`, fenced(declaration(`engine/src/${file}`, name), 'ts')]),
  );
}

export function errorsPage(): string {
  const table = refusalTable().map(
    ({ code, status, exit, of }) =>
      `| \`${code}\`${of === undefined ? '' : ` of a ${of.join(', ')}`} | ${status} | ${exit} |`,
  );
  const exits = Object.entries(EXIT).map(([name, code]) => `| ${code} | ${EXIT_WORDS[name as keyof typeof EXIT]} |`);
  return page(
    'Errors and exit codes',
    `A failure is \`{"error": {"code", "message", "hint"?, …facts}}\`, over HTTP and with \`--json\` alike; people read the message
and the hint.`,
    [
      '## Exit codes',
      ['| code | means |', '|---|---|', ...exits].join('\n'),
      '## Refusals',
      ['| code | HTTP status | exit code |', '|---|---|---|', ...table.sort()].join('\n'),
    ],
  );
}

type Fields = Readonly<Record<string, unknown>>;

const EXIT_WORDS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage: nothing was done',
  moved: 'a conflict, or the world has moved meanwhile',
  notFound: 'not found',
  denied: 'denied by the guard',
};

function page(title: string, intro: string, parts: readonly string[]): string {
  const all = [`# ${title}`, MADE, intro, ...parts].filter((part) => part !== '');
  return `${all.join('\n\n').trimEnd()}\n`;
}

function routeText(route: Route, named: Map<string, Schema>): string {
  const { name, method, path, summary, query, body, answer } = route;
  const told =
    typeof answer === 'string'
      ? `Answers ${answer === 'events' ? 'a stream of events' : 'bytes'}.`
      : answerText(schemaOf(answer, 'output', named));
  return [
    `## ${method.toUpperCase()} ${path}`,
    `${summary}. (\`${name}\`)`,
    ...(query === undefined ? [] : [fieldTable('query', schemaOf(query, 'input', named))]),
    ...(body === undefined ? [] : [bodyText(schemaOf(body, 'input', named))]),
    told,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function bodyText(schema: Schema): string {
  const table = fieldTable('body', schema);
  if (table !== '' || schema.type === 'object') return table;
  return `Body: ${typeText(schema)}`;
}

function answerText(schema: Schema): string {
  return fieldTable('answer', schema) || `Answers ${typeText(schema)}.`;
}

function shapeText(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  const table = fieldTable('field', schema);
  const about = [schema.description ?? '', table].filter((part) => part !== '').join('\n\n');
  return table !== '' ? about : (choices ?? [schema]).map((each) => `- ${typeText(each)}`).join('\n');
}

function fieldTable(what: string, schema: Schema): string {
  const rows = fieldRows(schema);
  return rows.length === 0 ? '' : [`| ${what} | type | |`, '|---|---|---|', ...rows].join('\n');
}

function leaves(command: Command, words: readonly string[]): readonly (readonly [readonly string[], Command])[] {
  if (command.commands.length === 0) return [[words, command]];
  return command.commands.flatMap((child) => leaves(child, [...words, child.name()]));
}

function helpOf(command: Command): string {
  const parts: string[] = [];
  const options = { writeOut: (text: string) => parts.push(text), getOutHelpWidth: () => 80 };
  command.configureOutput({ ...command.configureOutput(), ...options });
  command.outputHelp();
  return parts.join('').replace(/\nGlobal Options:[\s\S]*?(?=\n\n|\n$)/, '');
}

function fenced(text: string, language = 'text'): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}

function declaration(file: string, name: string): string {
  const source = readFileSync(new URL(`../../packages/${file}`, import.meta.url), 'utf8');
  const found = new RegExp(
    `(?:^/\\*\\*(?:(?!\\*/)[\\s\\S])*?\\*/\\n)?^export (?:interface|type) ${name}\\b[\\s\\S]*?^\\};?$`,
    'm',
  ).exec(source);
  if (found === null) throw new Error(`${file} declares no ${name}`);
  return found[0];
}
