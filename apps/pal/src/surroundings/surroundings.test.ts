import { expect, test } from 'vitest';
import { dataDirectory, type Surroundings } from './surroundings.js';

const at = (platform: NodeJS.Platform, environment: Surroundings['environment'] = {}) =>
  dataDirectory({ environment, platform, home: '/home/ann' });

test('[INT1d] PALIMPSEST_HOME says where the data is, on every platform', () => {
  const platforms: readonly NodeJS.Platform[] = ['linux', 'darwin', 'win32'];
  expect(platforms.map((platform) => at(platform, { PALIMPSEST_HOME: '/data' }))).toEqual(['/data', '/data', '/data']);
});

test('[INT1d] without it the data is where the platform keeps data', () => {
  expect(at('linux')).toBe('/home/ann/.local/share/palimpsest');
  expect(at('linux', { XDG_DATA_HOME: '/xdg' })).toBe('/xdg/palimpsest');
  expect(at('darwin')).toBe('/home/ann/Library/Application Support/palimpsest');
  expect(at('win32', { LOCALAPPDATA: '/local' })).toBe('/local/palimpsest');
});

test('[INT1d] a relative folder is not believed', () => {
  expect(at('linux', { PALIMPSEST_HOME: 'data', XDG_DATA_HOME: 'xdg' })).toBe('/home/ann/.local/share/palimpsest');
});
