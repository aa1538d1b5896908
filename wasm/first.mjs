// FIRST matches the names of the examples that the page scores without the core's second module: its three case
// studies.
export const FIRST = /^abb-(missing-verification|scope-creep|granularity)\.json$/;
