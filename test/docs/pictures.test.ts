import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pictureOf } from './picture.js';
import { playScenes, Stage } from './scenes.js';

/** `npm run pictures` makes them anew. */
test('[DOC3] the pictures in docs/pictures are what a real run shows', async () => {
  const stage = await Stage.set();
  try {
    await playScenes(stage);
  } finally {
    stage.leave();
  }
  const pictures = stage.pictures();
  expect([...pictures.keys()]).toEqual(['status', 'show', 'review', 'refused', 'restore']);
  for (const [name, screen] of pictures) {
    const file = fileURLToPath(new URL(`../../docs/pictures/${name}.svg`, import.meta.url));
    await expect(pictureOf(screen, `pal, at a terminal: ${name}`)).toMatchFileSnapshot(file);
  }
});

test('[DOC3] a picture has every letter at its column, in its colour', () => {
  const picture = pictureOf('\x1b[32m+\x1b[39m a < b  \x1b[2mc\x1b[22m', 'letters');
  expect(picture).toContain('<tspan x="16" fill="#7fc77f">+</tspan><tspan x="32.8">a &lt; b</tspan>');
  expect(picture).toContain('<tspan x="91.6" fill="#848b98">c</tspan>');
  expect(() => pictureOf('x'.repeat(81), 'wide')).toThrow('wider than 80 columns');
  expect(() => pictureOf('\x1b[95mx', 'ink')).toThrow('no ink for 95');
});
