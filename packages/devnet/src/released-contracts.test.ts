import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { decodeSafeEvent, describeRevertReason, revertReasons, safeEventTopics } from '@countersign/safe'
import fc from 'fast-check'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, getAddress, type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'

// Compares the released contracts in the package `safe` with their packages.

const require = createRequire(import.meta.url)
const packages: Record<string, string> = {
  '0.1.0': 'safe-contracts-0.1.0',
  '1.0.0': 'safe-contracts-1.0.0',
  '1.1.1': 'safe-contracts-1.1.1',
  '1.2.0': 'safe-contracts-1.2.0',
  '1.3.0': 'safe-contracts-1.3.0',
  '1.4.1': 'safe-contracts-1.4.1-2',
  '1.5.0': 'safe-contracts-1.5.0',
}
const versions = Object.keys(packages)
/** Examples, tests, interfaces of others, and modules that nobody lists as released. */
const LEFT_OUT = /(?:^|\/)(?:examples?|tests?|mocks|modules|interfaces?|external)\/|\.dbg\.json$|^Migrations/

function root(version: string): string {
  return dirname(require.resolve(`${packages[version]}/package.json`))
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !LEFT_OUT.test(path))
    .map((path) => join(folder, path))
}

/** Modules and tokens of the first releases lie in the same folder as the Safe. */
const OWN_CONTRACTS =
  /^(?:Gnosis)?Safe(?:L2|ToL2Migration|ToL2Setup|Migration)?$|Factory$|^(?:Create.*|MultiSend.*|SignMessageLib|.*Manager)$/

function eventsOf(version: string): AbiEvent[] {
  const folder = join(root(version), 'build', version < '1.3.0' ? 'contracts' : 'artifacts/contracts')
  const found = new Map<string, AbiEvent>()
  for (const path of filesIn(folder, '.json')) {
    const artifact: { contractName: string; abi: AbiEvent[] } = JSON.parse(readFileSync(path, 'utf8'))
    if (!OWN_CONTRACTS.test(artifact.contractName)) continue
    for (const item of artifact.abi) if (item.type === 'event') found.set(JSON.stringify(item), item)
  }
  return [...found.values()]
}

const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes))
const byType: Record<string, fc.Arbitrary<unknown>> = {
  address: words.map((word) => getAddress(`0x${word.slice(26)}`)),
  'address[]': fc.array(
    words.map((word) => getAddress(`0x${word.slice(26)}`)),
    { maxLength: 4 },
  ),
  bytes32: words,
  bytes: fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes)),
  uint256: words.map(BigInt),
  uint8: fc.integer({ min: 0, max: 255 }),
}

describe('decodeSafeEvent', () => {
  const seen = new Set<string>()

  test.each(versions)('reads every event of %s with any values', (version) => {
    const events = eventsOf(version)
    expect(events.length).toBeGreaterThan(7)
    for (const event of events) {
      const values = fc.tuple(...event.inputs.map(({ type }) => byType[type] ?? fc.constant(undefined)))
      fc.assert(
        fc.property(values, (args) => {
          const [topic, ...indexed] = encodeEventTopics({ abi: [event], args }) as Hex[]
          const inData = event.inputs.filter(({ indexed: isIndexed }) => !isIndexed)
          const data = encodeAbiParameters(
            inData,
            args.filter((_, at) => !event.inputs[at]?.indexed),
          )
          const address = '0x5aFE3855358E112B5647B952709E6165e1c1eEEe'
          const decoded = decodeSafeEvent({ address, topics: [topic ?? '0x', ...indexed], data })
          expect(decoded?.name, `${event.name} of ${version}`).toBe(event.name)
          const { name: _, address: __, ...rest } = decoded ?? { name: '', address }
          // Text behind the arguments in SafeMultiSigTransaction is read further, and tested where it is read.
          const isRead = event.name === 'SafeMultiSigTransaction'
          const shown = Object.values(rest).filter((value) => value !== null)
          expect(shown).toEqual(isRead ? args.slice(0, -1) : args)
          seen.add(topic ?? '')
        }),
        runs(20),
      )
    }
  })

  test('has no event that no release has', () => {
    expect([...seen].sort()).toEqual(safeEventTopics().sort())
  })
})

describe('revert reasons', () => {
  const said = new Map<string, string[]>()
  for (const version of versions) {
    const sources = filesIn(join(root(version), 'contracts'), '.sol').map((path) =>
      readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
    )
    const calls = sources.flatMap((source) => [
      ...source.matchAll(/(?:require|revert|revertWithError)\s*\([^;]*?"([^"]+)"\s*\)/g),
    ])
    for (const reason of new Set(calls.map((call) => call[1] ?? ''))) {
      // SafeToL2Migration compares versions in its conditions.
      if (/^\d/.test(reason)) continue
      said.set(reason, [...(said.get(reason) ?? []), version])
    }
  }

  test.each([...said])('%s, said by %s', (reason, by) => {
    expect(describeRevertReason(reason)?.versions).toEqual([by[0], by.at(-1)])
  })

  test('none is described that no release says', () => {
    expect(revertReasons.filter((reason) => !said.has(reason))).toEqual([])
    expect(describeRevertReason('GS026')?.versions).toEqual(['1.3.0', '1.5.0'])
  })
})
