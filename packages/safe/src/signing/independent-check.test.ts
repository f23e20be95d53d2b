import { concatHex, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { independentCommands } from './independent-check.ts'
import { hashSafeTx, newSafeTx, type SafeTxContext } from './safe-tx.ts'

const context = (version: string): SafeTxContext => ({
  chainId: 10,
  safeAddress: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  version,
  safeTx: newSafeTx({
    to: '0x1111111111111111111111111111111111111111',
    value: 12n,
    data: '0xa9059cbb00',
    operation: 1,
    baseGas: 5n,
    refundReceiver: '0x2222222222222222222222222222222222222222',
    nonce: 77n,
  }),
})

/** Stands in for `cast keccak $(cast abi-encode "f(types)" values)`, by viem's own encoder. */
function run(command: string, variables: Record<string, Hex>): Hex {
  const [, types = '', values = ''] = /abi-encode "f\(([^)]*)\)" ([^)]*)\)\)/.exec(command) ?? []
  const words = values.split(' ').map((value) => (value.startsWith('$') ? variables[value.slice(1)] : value))
  const parameters = parseAbiParameters(types)
  return keccak256(
    encodeAbiParameters(
      parameters,
      words.map((word, index) => (/^uint/.test(parameters[index]?.type ?? '') ? BigInt(word ?? 0) : word)),
    ),
  )
}

describe('independentCommands', () => {
  test.each(['0.1.0', '1.1.1', '1.3.0', '1.4.1', '1.5.0'])(
    'default: typed off the sheet they give the hashes of %s',
    (version) => {
      const given = context(version)
      const commands = independentCommands(given)
      const of = (prints: string) => commands.find((candidate) => candidate.prints === prints)?.command ?? ''
      const expected = hashSafeTx(given)
      const domain = run(of('domainHash'), {})
      const message = run(of('messageHash'), { DATA: keccak256(given.safeTx.data) })
      expect({ domain, message }).toEqual({ domain: expected.domainHash, message: expected.messageHash })
      expect(of('safeTxHash')).toBe('cast keccak $(cast concat-hex 0x1901 $DOMAIN $MESSAGE)')
      expect(keccak256(concatHex(['0x1901', domain, message]))).toBe(expected.safeTxHash)
    },
  )

  test('behavior: nothing of the call data stands in a command, so that no command is long or runs what is in it', () => {
    expect(independentCommands(context('1.4.1')).every(({ command }) => !command.includes('a9059cbb'))).toBe(true)
  })
})
