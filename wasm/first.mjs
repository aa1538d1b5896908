// FIRST matches the names of the examples that the page scores without the core's second module: the first two of
// its three case studies. A person looks longer for the others than the page for the second module.
export const FIRST = /^abb-(missing-verification|scope-creep)\.json$/;
