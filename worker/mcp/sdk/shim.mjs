// The conformance suite imports fs.globSync, which exists since Node.js 22, for a command
// that is not used here. For older versions of Node.js, this file provides one.
import { register } from 'node:module';

const fs = `export * from 'node:fs'; export { default } from 'node:fs';
export const globSync = () => { throw new Error('this needs Node.js 22'); };`;
const hook = `const fs = ${JSON.stringify('data:text/javascript,' + encodeURIComponent(fs))};
export const resolve = (name, context, next) => name === 'fs' ? { url: fs, shortCircuit: true } : next(name, context);`;
if (Number(process.versions.node.split('.')[0]) < 22) register('data:text/javascript,' + encodeURIComponent(hook));
