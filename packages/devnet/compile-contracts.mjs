// Compiles src/contracts/*.sol into src/contracts/compiled.json, and the server's SignatureCheck.sol into the module
// beside it. Run it after changing a contract:
//   node packages/devnet/compile-contracts.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = new URL('./src/contracts/', import.meta.url)
const signatureCheck = new URL('../server/src/chain/SignatureCheck.sol', import.meta.url)
export const signatureCheckModule = new URL('./signature-check.data.ts', signatureCheck)

export function compileContracts() {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sol'))
    .sort()
  return compile(names.map((name) => new URL(name, folder)))
}

/** For any chain: without the opcodes that came after the merge. */
export function compileSignatureCheck() {
  const { SignatureCheck } = compile([signatureCheck], 'paris')
  return `// Compiled from SignatureCheck.sol by packages/devnet/compile-contracts.mjs. Do not edit.
export const signatureCheckCode =
  '${SignatureCheck.bytecode}' as const
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
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
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
  writeFileSync(signatureCheckModule, compileSignatureCheck())
}
