import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../../apps/pal/src/agents/agents.js';
import { allDrivers } from '../agents/drivers.fixture.js';
import { type AgentResults, type Stories, supportTable, waitsTable, withTables } from './agent-table.js';

/*
 * The table of what each agent supports is made of what came of the tests with the real programs. Those take long, so that
 * their results are kept beside this file. `CI=1 npm run test:all` leaves new ones in .vitest/results.json, and
 * `PAL_AGENT_RESULTS=.vitest/results.json npm run docs` takes them over.
 */

const RESULTS = fileURLToPath(new URL('./agent-results.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/agents.md', import.meta.url));
const FOLDERS = ['agents', 'acp', 'mcp'] as const;

const drivers = await allDrivers();
const given = process.env.PAL_AGENT_RESULTS;
if (given !== undefined) writeFileSync(RESULTS, `${JSON.stringify(resultsIn(given.split(',')), null, 2)}\n`);
const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as AgentResults;

test('[DOC2b] the tables of docs/agents.md are what the tests with the real agents say', async () => {
  const support = supportTable(results, drivers, AGENTS);
  const waits = waitsTable(AGENT_NAMES.map((name) => AGENTS[name]));
  await expect(withTables(readFileSync(PAGE, 'utf8'), { support, waits })).toMatchFileSnapshot(PAGE);
});

test('[DOC2b] those results are of the programs that the tests run now', () => {
  const run = drivers.map(({ agent, source }) => [agent, source('linux-x64').specs[0]]);
  expect(Object.entries(results).map(([agent, { program }]) => [agent, program])).toEqual(run);
});

test('[DOC2b] those results are of the stories that there are now', () => {
  const kept = new Set(Object.values(results).flatMap(({ stories }) => Object.keys(stories).map(withoutVariant)));
  expect([...kept].sort()).toEqual([...new Set(FOLDERS.flatMap(storiesIn))].sort());
});

/** Every test in the sources of the stories, by its name. */
function storiesIn(folder: (typeof FOLDERS)[number]): readonly string[] {
  const place = new URL(`../${folder}/`, import.meta.url);
  const files = readdirSync(place).filter((name) =>
    /\.story\.fixture\.ts$|^real-(?:agents|clients|hooks)\.test\.ts$/.test(name),
  );
  return files.flatMap((name) =>
    [...readFileSync(new URL(name, place), 'utf8').matchAll(/^ *test(?:\.each\(.*?\))?\('(\[.*?)'/gm)].map(
      ([, title]) => `${folder}: ${withoutVariant(title!)}`,
    ),
  );
}

/** A test that runs several times has what differs at the end of its name. */
function withoutVariant(title: string): string {
  return title.replace(/: (?:%s|git|no git)$/, '');
}

/** From reports of Vitest; one that was played again is as the last report has it. */
function resultsIn(files: readonly string[]): AgentResults {
  const reports = files.map((file) => playedIn(JSON.parse(readFileSync(file, 'utf8')) as Report));
  return Object.fromEntries(
    drivers.map(({ agent, source }) => {
      const stories = Object.assign({}, ...reports.map((played) => played.get(agent) ?? {})) as Stories;
      if (Object.keys(stories).length === 0) throw new Error(`the real ${agent} was not tried`);
      return [agent, { program: source('linux-x64').specs[0]!, stories }];
    }),
  );
}

function playedIn({ testResults }: Report): ReadonlyMap<string, Stories> {
  const played = new Map<string, Record<string, Stories[string]>>();
  for (const { name, assertionResults } of testResults) {
    const folder = /\/test\/(agents|acp|mcp)\/[^/]+$/.exec(name)?.[1];
    for (const { ancestorTitles, title, status } of folder === undefined ? [] : assertionResults) {
      const agent = /[a-z]+/.exec(ancestorTitles[0] ?? '')?.[0];
      if (agent === undefined || (status !== 'passed' && status !== 'failed')) continue;
      const stories = played.get(agent) ?? {};
      const story = `${folder}: ${title}`;
      // Claude Code plays some of them twice, as a program and over HTTP.
      stories[story] = stories[story] === 'failed' ? 'failed' : status;
      played.set(agent, stories);
    }
  }
  return played;
}

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
};
