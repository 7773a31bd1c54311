import fc from 'fast-check';

// Without a seed every run searches somewhere else, and a failure prints where. With one it repeats exactly.
const seed = process.env.FC_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
