import fc from 'fast-check';
import { afterAll, afterEach } from 'vitest';
import { clearAway } from './afterwards.fixture.js';
import { SEED } from './search.fixture.js';

fc.configureGlobal({ seed: SEED });

afterEach(() => clearAway('test'));
afterAll(() => clearAway('file'));
