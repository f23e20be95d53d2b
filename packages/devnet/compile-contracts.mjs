// Compiles src/contracts/*.sol into src/contracts/compiled.json, and the contracts that the server and the page send with
// eth_call into the modules beside them. Run it after changing a contract:
//   node packages/devnet/compile-contracts.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = new URL('./src/contracts/', import.meta.url)

/** Contracts that are never put on a chain, and the modules that their creation code is in. */
export const calledContracts = [
  {
    source: new URL('../server/src/signatures/SignatureCheck.sol', import.meta.url),
    module: new URL('../server/src/signatures/signature-check.data.ts', import.meta.url),
    constant: 'signatureCheckCode',
  },
  {
    source: new URL('../server/src/indexer/reconcile/SafeQuantities.sol', import.meta.url),
    module: new URL('../server/src/indexer/reconcile/safe-quantities.data.ts', import.meta.url),
    constant: 'safeQuantitiesCode',
  },
  {
    source: new URL('../safe/src/chain/BoundedReads.sol', import.meta.url),
    module: new URL('../safe/src/chain/bounded-reads.data.ts', import.meta.url),
    constant: 'boundedReadsCode',
  },
]

/** Warnings of what test contracts do on purpose: `selfdestruct`, and storage for one transaction. */
const deliberate = new Set(['5159', '2394'])

export function compileContracts() {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sol'))
    .sort()
  return compile(names.map((name) => new URL(name, folder)))
}

/** For any chain: without the opcodes that came after the merge. */
export function compileCalled({ source, constant }) {
  const file = basename(source.pathname)
  const [contract] = Object.values(compile([source], 'paris'))
  return `// Compiled from ${file} by packages/devnet/compile-contracts.mjs. Do not edit.
export const ${constant} =
  '${contract.bytecode}' as const
`
}

// Pinned, and without metadata: the addresses of the test contracts follow from their bytecode.
function compile(files, evmVersion = 'cancun') {
  const solc = createRequire(import.meta.url)('solc')
  const sources = files.map((file) => [basename(file.pathname), { content: readFileSync(file, 'utf8') }])
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: Object.fromEntries(sources),
        settings: {
          evmVersion,
          metadata: { appendCBOR: false, bytecodeHash: 'none' },
          optimizer: { enabled: true, runs: 200 },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  )
  const errors = (output.errors ?? []).filter(({ errorCode }) => !deliberate.has(errorCode))
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return Object.fromEntries(
    sources.map(([file]) => {
      const name = file.replace(/\.sol$/, '')
      const { abi, evm } = output.contracts[file][name]
      return [name, { abi, bytecode: `0x${evm.bytecode.object}` }]
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('compiled.json', folder), `${JSON.stringify(compileContracts(), null, 2)}\n`)
  for (const called of calledContracts) writeFileSync(called.module, compileCalled(called))
}
