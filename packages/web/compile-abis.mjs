import { parseAbi } from 'viem'

/**
 * ABIs stand in the sources as Solidity writes them: `parseAbi(['function nonce() view returns (uint256)'])`. They are
 * parsed when the page is built, so that neither the page nor its Workers have the parser, or spend time on it.
 */

/** A list of texts between single quotes, with comments of a line between them. */
const written = /\bparseAbi\(\[((?:\s|\/\/[^\n]*\n|'[^'\n]*'\s*,?)*)\]\)/g

/**
 * Puts the parsed ABI in the place of each that a module writes.
 *
 * @throws when one is written otherwise, or is none
 */
export function compileAbis(code) {
  const compiled = code.replace(written, (_, list) => JSON.stringify(parseAbi(textsOf(list))))
  if (/\bparseAbi\(/.test(compiled)) throw new Error('An ABI that is not written out as texts cannot be compiled.')
  return compiled
}

function textsOf(list) {
  return [...list.replace(/\/\/[^\n]*/g, '').matchAll(/'([^']*)'/g)].map(([, text]) => text)
}

/** Compiles the ABIs of every module of the packages that ask contracts. */
export function compileAbisOfModules() {
  return {
    name: 'compile-abis',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /packages[\\/](?:safe|review|simulation|web)[\\/]src[\\/].*\.tsx?$/, code: /\bparseAbi\(/ },
      handler: (code) => ({ code: compileAbis(code), map: null }),
    },
  }
}
