import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type DescriptorRegistry, loadDescriptorRegistry } from '@countersign/safe'
import {
  type DisplayModel,
  type ExternalDataProvider,
  type FormatOptions,
  format,
  formatTypedData,
  isFieldGroup,
  type TypedData,
} from '@ethereum-sourcify/clear-signing'
import { parseTransaction } from 'viem'
import * as chains from 'viem/chains'
import { beforeAll, describe, expect, test } from 'vitest'
import { registryOptions } from './describe.ts'

type Rendered = {
  intent: string
  interpolatedIntent: string | undefined
  owner: string | undefined
  fields: { label: string; value: string | Rendered }[]
}
type Case = {
  description: string
  rawTx?: `0x${string}`
  from?: string
  data?: Omit<TypedData, 'account'>
  expected: Rendered
}
type CaseFile = {
  descriptor: string
  dataProvider?: {
    tokens?: Record<string, { symbol: string; decimals: number; name: string }>
    addressNames?: Record<string, string>
    ensNames?: Record<string, string>
    nftCollectionNames?: Record<string, string>
  }
  tests: Case[]
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../../../review/vectors/descriptor-cases.json', import.meta.url), 'utf8'),
) as { cases: CaseFile[] }

let registry: DescriptorRegistry
beforeAll(async () => {
  registry = await loadDescriptorRegistry()
})

/** Gives what the registry's own runners get: the names and tokens of the file, and the chains' coins. */
function providerOf({ dataProvider = {} }: CaseFile): ExternalDataProvider {
  const { tokens = {}, addressNames = {}, ensNames = {}, nftCollectionNames = {} } = dataProvider
  const find = <Of>(map: Record<string, Of>) => {
    const lower = new Map(Object.entries(map).map(([key, value]) => [key.toLowerCase(), value]))
    return (address: string): Of | null => lower.get(address.toLowerCase()) ?? null
  }
  const nameIn = (map: Record<string, string>) => async (address: string) => {
    const name = find(map)(address)
    return name === null ? null : { name, typeMatch: true }
  }
  return {
    resolveToken: async (_chainId, address) => find(tokens)(address),
    resolveLocalName: nameIn(addressNames),
    resolveEnsName: nameIn(ensNames),
    resolveNftCollectionName: async (_chainId, address) => {
      const name = find(nftCollectionNames)(address)
      return name === null ? null : { name }
    },
    resolveChainInfo: async (chainId) => Object.values(chains).find(({ id }) => id === chainId) ?? null,
  }
}

function rendered({ intent, interpolatedIntent, metadata, fields = [] }: DisplayModel): Rendered {
  const list = fields.flatMap((field) => (isFieldGroup(field) ? field.fields : [field]))
  return {
    intent: String(intent),
    owner: metadata?.owner,
    interpolatedIntent,
    fields: list.map(({ label, value, embeddedCalldata }) => ({
      label,
      value: embeddedCalldata?.display.intent === undefined ? value : rendered(embeddedCalldata.display),
    })),
  }
}

async function render(testCase: Case, options: FormatOptions): Promise<Rendered> {
  if (testCase.rawTx === undefined)
    return rendered(await formatTypedData({ account: testCase.from ?? '', ...testCase.data } as TypedData, options))
  const { chainId = 1, to, data = '0x', value = 0n } = parseTransaction(testCase.rawTx)
  const from = testCase.from === undefined ? {} : { from: testCase.from }
  return rendered(await format({ chainId, to: to ?? '', data, value, ...from }, options))
}

/** A field that is absent is not undefined. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

describe('the registry of the release', () => {
  test('default: its own cases come out as they say, but for those that are named here', async () => {
    const failed: string[] = []
    for (const file of cases) {
      const options = { externalDataProvider: providerOf(file), ...registryOptions(registry) }
      for (const testCase of file.tests) {
        const found = plain(await render(testCase, options))
        if (!isDeepStrictEqual(found, plain(testCase.expected)))
          failed.push(`${file.descriptor}: ${testCase.description}`)
      }
    }
    expect(cases.flatMap(({ tests }) => tests)).toHaveLength(509)
    // Its domain has a salt in the place of the chain id, without which the library reads nothing.
    expect(failed).toEqual(['registry/rarible/eip712-rarible-exchange-v2-meta-tx.json: Meta Transaction'])
  })
})
