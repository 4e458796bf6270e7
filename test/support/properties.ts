import fc from 'fast-check';

const { PROPERTY_SEED = '1' } = process.env;

/** Every run generates the same values, so that a failure repeats; `PROPERTY_SEED=random` or another number explores. */
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });

export { fc };
