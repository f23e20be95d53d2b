import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { account, otherOwner, safeAddress, stranger } from '../review/scene.ts'
import { abiTypedData, hashAbi, isAbiSigned } from './signed-abi.ts'

const endorsed = { chainId: 1, safeAddress, contract: stranger, abi: '[{"type":"function","name":"poke"}]' }

describe('an ABI that an owner signs', () => {
  test('default: by the key of the owner who is named, and nobody else', async () => {
    const signature = await account.signTypedData(abiTypedData(endorsed))
    expect(await account.sign({ hash: hashAbi(endorsed) })).toBe(signature)
    expect(await isAbiSigned(endorsed, { owner: account.address, signature })).toBe(true)
    expect(await isAbiSigned(endorsed, { owner: otherOwner, signature })).toBe(false)
    const other = privateKeyToAccount(`0x${'07'.repeat(32)}`)
    const forged = await other.signTypedData(abiTypedData(endorsed))
    expect(await isAbiSigned(endorsed, { owner: account.address, signature: forged })).toBe(false)
  })

  test('behavior: another text, contract, Safe or chain is not signed', async () => {
    const signature = await account.signTypedData(abiTypedData(endorsed))
    const others = [
      { ...endorsed, abi: `${endorsed.abi} ` },
      { ...endorsed, contract: otherOwner },
      { ...endorsed, safeAddress: otherOwner },
      { ...endorsed, chainId: 10 },
    ]
    for (const other of others) expect(await isAbiSigned(other, { owner: account.address, signature })).toBe(false)
  })
})
