import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { LIMIT_MS } from '../patience.fixture.js';

/** A browser of this machine; none is downloaded. */
const CHROMIUM = [
  process.env.PAL_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path));

/** Null where there is none, which is said; with CI it is an error. */
export function whereIsChromium(): string | null {
  if (CHROMIUM !== undefined) return CHROMIUM;
  const how = 'the page is not tested: `apt-get install chromium`, or set PAL_CHROMIUM to a Chromium';
  if (process.env.CI) throw new Error(how);
  process.stdout.write(`SKIPPED ${how}\n`);
  return null;
}

/** It asks nobody but the page for anything. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: LIMIT_MS,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });
}

/** What a page asked for and complained about, while it was open. */
export type Watched = { readonly page: Page; readonly hosts: Set<string>; readonly complaints: string[] };

export async function openPage(browser: Browser, url: string, width = 1280): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => hosts.add(new URL(request.url()).hostname));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(url);
  return { page, hosts, complaints };
}
