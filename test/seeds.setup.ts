import fc from 'fast-check';
import { SEED } from './search.fixture.js';

fc.configureGlobal({ seed: SEED });
