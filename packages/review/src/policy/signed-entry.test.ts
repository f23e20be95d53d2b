import { describe, expect, test } from 'vitest'
import { account, otherOwner, safeAddress, stranger } from '../scene.ts'
import { abiTypedData, hashAbi, hashName, nameTypedData } from './signed-entry.ts'

const place = { chainId: 1, safeAddress }

describe('an entry of the book that an owner signs', () => {
  test('default: its hash is what the wallet signs', async () => {
    const abi = { ...place, contract: stranger, abi: '[{"type":"function","name":"poke"}]' }
    expect(await account.sign({ hash: hashAbi(abi) })).toBe(await account.signTypedData(abiTypedData(abi)))
    const name = { ...place, address: stranger, name: 'Studio Ligne' }
    expect(await account.sign({ hash: hashName(name) })).toBe(await account.signTypedData(nameTypedData(name)))
    expect(nameTypedData(name).message).toEqual({ account: stranger, name: 'Studio Ligne' })
  })

  test('behavior: another text, address, Safe, chain or kind is another hash', () => {
    const abi = { ...place, contract: stranger, abi: '[]' }
    const name = { ...place, address: stranger, name: '[]' }
    const elsewhere = [{ safeAddress: otherOwner }, { chainId: 10 }]
    const hashes = [
      ...[{}, { abi: '[ ]' }, { contract: otherOwner }, ...elsewhere].map((change) => hashAbi({ ...abi, ...change })),
      ...[{}, { name: '[ ]' }, { address: otherOwner }, ...elsewhere].map((change) => hashName({ ...name, ...change })),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
