import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { wire } from './wiring.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

describe('`pal init --shared` in a repository that leads elsewhere', () => {
  const shared = () => {
    const surroundings = { environment: { PATH: '' }, platform: process.platform, home: join(folder, 'home') };
    const data = join(folder, 'data');
    const workspace = join(folder, 'work');
    return wire(
      ['claude'],
      { surroundings, data, workspace, scope: 'shared', strictness: 'lenient', address: null },
      'do',
    );
  };
  beforeEach(() => {
    mkdirSync(join(folder, 'work/.claude'), { recursive: true });
    writeFileSync(join(folder, 'precious'), '{}');
  });

  test('[SEC4c] a draft that is a link is not written through', () => {
    symlinkSync(join(folder, 'precious'), join(folder, 'work/.claude/settings.json.pal-draft'));
    shared();
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('{}');
    expect(readFileSync(join(folder, 'work/.claude/settings.json'), 'utf8')).toContain('hook claude');
  });

  test('[SEC4c] a configuration that is a link out of the workspace is an obstacle', () => {
    symlinkSync(join(folder, 'precious'), join(folder, 'work/.claude/settings.json'));
    expect(shared()[0]?.obstacles).toHaveLength(1);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('{}');
  });

  test('[SEC4c] a configuration folder that is a link out of the workspace is an obstacle', () => {
    rmSync(join(folder, 'work/.claude'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'work/.claude'));
    expect(shared()[0]?.obstacles).toHaveLength(1);
    expect(statSync(join(folder, 'elsewhere/settings.json'), { throwIfNoEntry: false })).toBeUndefined();
  });
});
