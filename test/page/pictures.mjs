// Makes the pictures of the page that the documents show, from a real run in a real browser: `npm run pictures:page`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const checkout = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pal-page-'));
const root = join(folder, 'shop');
const environment = { ...process.env, HOME: folder, PALIMPSEST_HOME: join(folder, 'data') };
const pal = (args, input = '') =>
  execFileSync(process.execPath, [join(checkout, 'apps/pal/bin/pal.js'), '-C', root, ...args], {
    ...{ env: environment, encoding: 'utf8', input: typeof input === 'string' ? input : JSON.stringify(input) },
  });
const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=you', '-c', 'user.email=you@example.invalid', ...args], { cwd: root });

const CART = `import type { Item } from './item';

/** What is in the cart, and what it comes to. */
export class Cart {
  readonly items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  total(): number {
    return this.items.reduce((sum, item) => sum + item.price, 0);
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }
}

export function describe(cart: Cart): string {
  const count = cart.items.length;
  return \`\${count} items, \${cart.total()} in all\`;
}
`;
const CHANGED = CART.replace('sum + item.price, 0)', 'sum + item.price * item.amount, 0)')
  .replace('cart.items.length;', 'cart.items.reduce((sum, item) => sum + item.amount, 0);')
  .replace('cart.total()}', 'cart.total().toFixed(2)} €');

try {
  mkdirSync(root);
  git('init', '-q');
  write('src/cart.ts', CART);
  write('src/item.ts', 'export type Item = {\n  readonly name: string;\n  readonly price: number;\n};\n');
  write('README.md', '# Shop\n\nA small shop.\n');
  git('add', '-A');
  git('commit', '-qm', 'the shop');
  play();
  await photograph(JSON.parse(pal(['ui', '--json'])).url);
} finally {
  pal(['stop']);
  rmSync(folder, { recursive: true, force: true });
}

/** An agent works for two prompts; in between a person writes a line of their own. */
function play() {
  pal(['session', 'start', '--agent', 'claude', '--id', 'cart', '--json']);
  pal(['session', 'rename', 'cart', 'Amounts in the cart']);
  let calls = 0;
  let turn = '';
  const prompt = (text) => {
    turn = `turn-${++calls}`;
    pal(['note'], { session: 'cart', kind: 'prompt', text, turn });
  };
  const call = (tool, input, work = () => undefined) => {
    const callId = `toolu_${String(++calls).padStart(2, '0')}`;
    pal(['tool', 'begin', '--json'], { session: 'cart', callId, tool, input, turn });
    work();
    pal(['tool', 'end', '--json'], { session: 'cart', callId });
  };
  const over = (path, text) => {
    call('Read', { file_path: path });
    call('Write', { file_path: path, content: text }, () => write(path, text));
  };
  prompt('Let the cart count how many there are of each item, and show the total in euro');
  over(
    'src/item.ts',
    'export type Item = {\n  readonly name: string;\n  readonly price: number;\n  readonly amount: number;\n};\n',
  );
  over('src/cart.ts', CHANGED);
  write('README.md', '# Shop\n\nA small shop. Prices are in euro.\n');
  pal(['status', '--json']);
  prompt('Add a test for it');
  const spec =
    "import { expect, test } from 'vitest';\nimport { Cart } from '../src/cart';\n\ntest('amounts count', () => {\n  const cart = new Cart();\n  cart.add({ name: 'tea', price: 2.5, amount: 3 });\n  expect(cart.total()).toBe(7.5);\n});\n";
  call('Bash', { command: 'mkdir -p test && cat > test/cart.test.ts' }, () => write('test/cart.test.ts', spec));
}

async function photograph(url) {
  const browser = await chromium.launch({
    executablePath: process.env.PAL_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  await page.goto(url);
  await page.locator('.line.added').first().waitFor();
  const picture = async (name, view, scheme, ready) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(page.url().replace(/#\/w\/(\w+).*/, `#/w/$1/${view}`));
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(checkout, `docs/pictures/page-${name}.png`) });
  };
  await picture('review', 'review', 'light', '.h-keyword');
  await picture('review-dark', 'review', 'dark', '.h-keyword');
  await picture('timeline', 'timeline', 'light', '.moments .call');
  await picture('blame', `blame/${encodeURIComponent('src/cart.ts')}`, 'light', '.stretch.agent');
  await picture('checkpoints', 'checkpoints', 'light', '.list .file');
  await page.locator('.list .file').last().click();
  await page.locator('.differences .file').first().click();
  await page.locator('.diff .line').first().waitFor();
  await page.screenshot({ path: join(checkout, 'docs/pictures/page-checkpoints.png') });
  await browser.close();
}
