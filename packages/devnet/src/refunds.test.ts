import { maximumRefund } from '@countersign/review'
import { hashSafeTx, isVersionBefore, newSafeTx, type SafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, concat, getAddress, type Hex, numberToHex, pad } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, allVersions, deployAnySafe } from './test-safes.ts'

// Refunds that real Safes of every version pay when whoever executes makes them as large as possible.

const owner = demoAccounts[4]
const executor = demoAccounts[9].address
const receiver: Address = '0x1111000000000000000000000000000000001111'
/** Answers true or a word that no version takes for a magic value, after it has used all gas but 300,000. */
const burner: { address: Address; code: Hex } = {
  address: '0x0000000000000000000000000000000000110123',
  code: '0x5b5a620493e010600057600160005260206000f3',
}

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  await requestNode(devnet.rpcUrl, 'anvil_setCode', burner.address, burner.code)
})
afterAll(() => devnet?.close())

/** Executes with a price of 1 wei, so that the refund in wei is the gas that the Safe counted. */
async function refundOf(
  version: AnyVersion,
  { owners, signaturesOf }: { owners: Address[]; signaturesOf: (hash: Hex) => Promise<Hex> },
  fields: Partial<SafeTx>,
): Promise<{ paid: bigint; safeTx: SafeTx }> {
  const { rpcUrl, chainId } = devnet
  const saltNonce = BigInt(allVersions.indexOf(version)) + (owners.length === 1 ? 900n : 950n)
  const safeAddress = await deployAnySafe({ rpcUrl, chainId, version, owners, threshold: owners.length, saltNonce })
  await requestNode(rpcUrl, 'anvil_setBalance', safeAddress, numberToHex(10n ** 18n))
  await requestNode(rpcUrl, 'anvil_setBalance', receiver, '0x1')
  const safeTx = newSafeTx({ to: executor, nonce: 0n, gasPrice: 1n, refundReceiver: receiver, ...fields })
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const data = encodeExecTransaction(safeTx, await signaturesOf(safeTxHash))
  await sendAll(rpcUrl, executor, [{ to: safeAddress, data, gas: 25_000_000n }])
  const balance = (await requestNode(rpcUrl, 'eth_getBalance', receiver, 'latest')) as Hex
  return { paid: BigInt(balance) - 1n, safeTx }
}

const signed = (hash: Hex) => sign({ hash, privateKey: owner.privateKey, to: 'hex' })

describe('maximumRefund', () => {
  test.each(allVersions)('behavior: is not exceeded by long data and long signatures: %s', async (version) => {
    const fresh = getAddress(pad(numberToHex(allVersions.indexOf(version) + 0xfe_0000), { size: 20 }))
    const { paid, safeTx } = await refundOf(
      version,
      {
        owners: [owner.address],
        signaturesOf: async (hash) => concat([await signed(hash), pad('0x', { size: 120_000 })]),
      },
      { to: fresh, value: 1n, data: pad('0x', { size: 110_000 }), safeTxGas: 10n, baseGas: 1n },
    )
    // Up to 1.2.0 the copy of the data alone costs more than the call.
    if (isVersionBefore(version, 1, 3)) expect(paid).toBeGreaterThan(100_011n)
    expect(paid).toBeLessThanOrEqual(maximumRefund(safeTx, version))
  })

  test('behavior: is not exceeded by an owner’s contract that uses all gas, before 1.0.0', async () => {
    const owners = [burner.address, owner.address].toSorted((one, other) =>
      one.toLowerCase() < other.toLowerCase() ? -1 : 1,
    )
    expect(owners[0]).toBe(burner.address)
    const { paid, safeTx } = await refundOf(
      '0.1.0',
      {
        owners,
        signaturesOf: async (hash) =>
          concat([
            pad(burner.address, { size: 32 }),
            numberToHex(130, { size: 32 }),
            '0x00',
            await signed(hash),
            pad('0x', { size: 32 }),
          ]),
      },
      { safeTxGas: 50_000n },
    )
    expect(paid).toBeGreaterThan(20_000_000n)
    expect(paid).toBeLessThanOrEqual(maximumRefund(safeTx, '0.1.0'))
    expect(paid).toBeGreaterThan(maximumRefund(safeTx, '1.0.0'))
  })
})
