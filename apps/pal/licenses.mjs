import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of all packages of others that these modules are from, as these ask for where they are passed on. */
export function licensesOf(modules) {
  const folders = new Set(
    [...modules].flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []),
  );
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (license === undefined) throw new Error(`${name} is bundled, and nothing says under which licence`);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [repository.url])];
  });
  return `Palimpsest contains these packages of others, unchanged but for being bundled.\n\n${parts
    .map((part) => part.join('\n\n'))
    .join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
