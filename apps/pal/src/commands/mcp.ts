import type { CommandFile, Said } from '../cli/command.js';
import type { Face } from '../face/face.js';
import { harmlessLines } from '../print/harmless.js';
import { output } from '../print/output.js';

export const command: CommandFile = {
  summary: 'serve agents over the Model Context Protocol, on standard input and output',
  section: 'Agents',
  details: `For clients that start servers themselves. In their configuration:
  {"mcpServers": {"palimpsest": {"command": "pal", "args": ["mcp"]}}}
Codex begins a turn without the tools of a server that is still starting, unless it is told that they are required:
  [mcp_servers.palimpsest]
  command = "pal"
  args = ["mcp"]
  required = true
It is about the workspace around the folder it is started in, or the one that the client names as its root; -C names
another. The daemon serves the same over HTTP at /v1/workspaces/ID/mcp.`,
  examples: [
    { line: 'pal mcp', does: 'serve the client that started it' },
    { line: 'pal -C ../app mcp', does: 'serve it about another workspace' },
    { line: 'claude mcp add palimpsest -- pal mcp', does: 'add it to Claude Code' },
  ],
  define: (self, act) => self.action(act(async (face) => ({ each: served(face) }))),
};

/** Nothing but the protocol goes to standard output, so there is nothing to say at the end. */
async function* served({ directory, data, surroundings }: Face): AsyncGenerator<Omit<Said, 'exit'>> {
  if (process.stdin.isTTY) await output.err('waiting for a client to speak MCP on standard input; Ctrl-D ends it\n');
  const { serveMcpOnStdio } = await import('../mcp/stdio.js');
  await serveMcpOnStdio({
    directory,
    folder: directory === process.cwd() ? 'inherited' : 'given',
    data,
    environment: surroundings.environment,
    complain: (error) => void output.err(`${harmlessLines(error.message)}\n`),
  });
  yield* [];
}
