import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { until } from '../patience.fixture.js';
import { openBrowser, openPage, type Watched, whereIsChromium } from './browser.fixture.js';

const chromium = whereIsChromium();
const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
const text = (changed: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, index) => changed[index + 1] ?? line).join('\n')}\n`;

describe.skipIf(chromium === null)('the page in a browser', () => {
  let browser: Browser;
  let user: User;
  let workspace: Workspace;
  const pages: Watched[] = [];
  beforeAll(async () => {
    browser = await openBrowser(chromium!);
  });
  afterAll(() => browser.close());
  beforeEach(() => {
    user = new User();
    workspace = user.workspace({ 'a.txt': text(), 'b.txt': 'b\n' });
  });
  afterEach(async () => {
    for (const { page } of pages.splice(0)) await page.context().close();
    user.leave();
  });

  const open = async (width?: number) => {
    const { url } = await workspace.json<{ url: string }>('ui');
    const watched = await openPage(browser, url, width);
    pages.push(watched);
    return watched;
  };
  const edit = async (id: string, path: string, after: string) => {
    await workspace.call('S', `${id}-read`, 'Read', { file_path: path }, () => undefined);
    await workspace.call('S', id, 'Write', { file_path: path, content: after }, () => workspace.write(path, after));
  };
  const pending = async () => (await workspace.json<{ pending: { hunks: number } }>('status')).pending.hunks;
  const said = (page: Page, words: string) => page.getByText(words).first().waitFor();

  test('[UI2a] hunk by hunk with the mouse: what is rejected goes, what is accepted stays, and undo brings it back', async () => {
    await edit('e1', 'a.txt', text({ 5: 'five', 50: 'fifty' }));
    const { page, complaints } = await open();
    await page.getByRole('button', { name: 'Reject lines 5 of a.txt', exact: true }).click();
    await said(page, 'Rejected a hunk of a.txt');
    await page.getByRole('button', { name: 'Accept lines 50 of a.txt', exact: true }).click();
    await said(page, 'Nothing waits for review');
    expect(workspace.read('a.txt')).toBe(text({ 50: 'fifty' }));
    expect(await pending()).toBe(0);
    await workspace.pal('undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(() => workspace.read('a.txt') === text({ 5: 'five', 50: 'fifty' }));
    expect(complaints).toEqual([]);
  });

  test('[UI2b] the same by keys alone', async () => {
    await edit('e1', 'a.txt', text({ 5: 'five', 50: 'fifty' }));
    const { page } = await open();
    await page.locator('.hunk').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await until(() => workspace.read('a.txt') === text({ 5: 'five' }));
    await said(page, 'Rejected a hunk of a.txt');
    await page.keyboard.press('u');
    await until(() => workspace.read('a.txt') === text({ 5: 'five', 50: 'fifty' }));
    await page.locator('.hunk').nth(1).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('Shift+A');
    await said(page, 'Nothing waits for review');
    await page.keyboard.press('?');
    expect(await pending()).toBe(0);
  });

  test('[UI3a] what the agent does meanwhile shows up by itself, in every page', async () => {
    await edit('e1', 'a.txt', text({ 5: 'five' }));
    const [one, other] = [await open(), await open()];
    await edit('e2', 'b.txt', 'B\n');
    for (const { page } of [one, other]) await page.getByRole('link', { name: 'b.txt' }).waitFor();
    await one.page.getByRole('button', { name: 'Accept b.txt', exact: true }).click();
    await other.page.getByRole('link', { name: 'b.txt' }).waitFor({ state: 'detached' });
    expect([one, other].flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  test('[UI3b] a daemon that is started again under the page is followed', async () => {
    await edit('e1', 'a.txt', text({ 5: 'five' }));
    const { page } = await open();
    await page.locator('.hunk').first().waitFor();
    await workspace.pal('stop');
    await page.getByText('the daemon does not answer').waitFor();
    await edit('e2', 'b.txt', 'B\n');
    await page.getByRole('link', { name: 'b.txt' }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('[UI3c] what a person saved between looking and clicking is not lost', async () => {
    await edit('e1', 'a.txt', text({ 5: 'five', 50: 'fifty' }));
    const { page } = await open();
    await page.locator('.hunk').nth(1).waitFor();
    // Nobody has told the page when it clicks.
    await page.route('**/events', (route) => route.abort());
    workspace.put('a.txt', text({ 5: 'five', 6: 'mine', 50: 'fifty' }));
    await page.getByRole('button', { name: 'Reject lines 50 of a.txt', exact: true }).click();
    await page.locator('.saying').first().waitFor();
    const now = workspace.read('a.txt');
    expect([text({ 5: 'five', 6: 'mine', 50: 'fifty' }), text({ 5: 'five', 6: 'mine' })]).toContain(now);
  });

  test('[UI2c] comments on lines are collected over a reload, sent together, and heard by the agent', async () => {
    await edit('e1', 'a.txt', text({ 5: 'five', 50: 'fifty' }));
    const { page } = await open();
    for (const [line, words] of [
      ['5', 'spell it out'],
      ['50', 'half a hundred'],
    ] as const) {
      await page.getByRole('button', { name: `Comment on line ${line}`, exact: true }).click();
      await page.getByLabel('What the agent should hear').fill(words);
      await page.getByRole('button', { name: 'Add the comment' }).click();
    }
    await page.reload();
    await page.getByRole('button', { name: 'Send all 2 to the agent' }).click();
    await said(page, 'The agent hears all 2 with the next message');
    const begun = await workspace.say(['tool', 'begin', '--json'], {
      session: 'S',
      callId: 'n',
      tool: 'Read',
      input: {},
    });
    expect(begun.stdout).toMatch(/a\.txt:5: spell it out These lines were meant:\\n> five/);
    expect(begun.stdout).toContain('half a hundred');
  });

  test('[UI5b] hostile names and texts are shown, and do nothing', async () => {
    const name = `<img src=x onerror=alert(1)> \u202e\u001b]0;x.html`;
    const hostile = `<script>alert(1)</script>\n${'x'.repeat(1_000_000)}\n\u202eevil\u0000\u001b[31m\n`.replace(
      '\u0000',
      '',
    );
    await edit('e1', 'b.txt', hostile);
    await workspace.call('S', 'e2', 'Bash', { command: 'make it' }, () => workspace.write(name, hostile));
    const { page, complaints, hosts } = await open();
    await said(page, '<script>alert(1)</script>');
    await said(page, '⟨202e⟩evil⟨1b⟩[31m');
    await said(page, 'more characters');
    expect(await page.title()).toBe('Palimpsest');
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual(['127.0.0.1']);
  });

  test('[UI6a] axe finds nothing serious in any view, light or dark, wide or narrow', async () => {
    await workspace.pal('session', 'start', '--agent', 'claude', '--id', 'S');
    await workspace.say(['note'], { session: 'S', kind: 'prompt', text: 'Make it five', turn: 't1' });
    await edit('e1', 'a.txt', text({ 5: 'five', 50: 'fifty' }));
    const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 600],
    ] as const) {
      const { page } = await open(width);
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator('.hunk').first().waitFor();
      const review = page.url();
      for (const view of ['review', 'timeline', 'conflicts', 'checkpoints', 'status', 'blame/a.txt', '']) {
        await page.goto(
          view === '' ? review.replace(/#.*/, '#/') : `${review.replace(/#\/w\/(\w+).*/, '#/w/$1')}/${view}`,
        );
        await page.waitForFunction('document.querySelector("main")?.textContent');
        await page.evaluate(source);
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run(),
        );
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${scheme} ${view}: ${id} ${nodes[0]?.html}`)).toEqual([]);
      }
    }
  });
});

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };
