import fc from 'fast-check'
/**
 * Generates texts of any code points except surrogates. `fc.string({ unit: 'binary' })` does the same, but first lists
 * all million code points, which takes 1.3 s of processor time in each process.
 */
export declare const anyText: fc.Arbitrary<string>
