// Compiles src/contracts/*.sol into src/contracts/compiled.json. Run it after changing a contract:
//   node packages/devnet/compile-contracts.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = new URL('./src/contracts/', import.meta.url)

export function compileContracts() {
  const solc = createRequire(import.meta.url)('solc')
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sol'))
    .sort()
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: Object.fromEntries(
          names.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
        ),
        settings: {
          // Pinned, and without metadata: the addresses of the test contracts follow from their bytecode.
          evmVersion: 'cancun',
          metadata: { appendCBOR: false, bytecodeHash: 'none' },
          optimizer: { enabled: true, runs: 200 },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  )
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  return Object.fromEntries(
    names.map((file) => {
      const name = file.replace(/\.sol$/, '')
      const { abi, evm } = output.contracts[file][name]
      return [name, { abi, bytecode: `0x${evm.bytecode.object}` }]
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('compiled.json', folder), `${JSON.stringify(compileContracts(), null, 2)}\n`)
