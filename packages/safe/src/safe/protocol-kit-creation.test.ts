import {
  decodeMultiSendData,
  encodeMultiSendData,
  getEip712TxTypes,
  getPredictedSafeAddressInitCode,
  getSafeContract,
  predictSafeAddress as predictByKit,
  SafeProvider,
} from '@safe-global/protocol-kit'
import fc from 'fast-check'
import {
  type Address,
  bytesToHex,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  getAddress,
  type Hex,
  numberToHex,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { multiSendAbi } from '../abi/abi.ts'
import { encodeExecTransaction } from '../calls/execution.ts'
import { decodeMultiSend, encodeMultiSend } from '../calls/multi-send.ts'
import { deploymentAt, officialDeployment } from '../deployments/deployments.ts'
import { proxies } from '../deployments/proxy-code.data.ts'
import { newSafeTx, safeTxTypedData } from '../signing/safe-tx.ts'
import { encodeCreateProxy, encodeProxyCreation, predictProxyAddress, predictSafeAddress } from './safe-creation.ts'
import { encodeSetup } from './safe-setup.ts'

// Compares batches, executions and new Safes with the kit of the Safe project.

const options = runs(25)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(bytesToHex(bytes)))
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => bytesToHex(value))
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

/** A chain that has every contract; the kit asks a factory for the code of its proxies. */
const CHAIN_ID = 1
const METHOD_NOT_FOUND = -32601
let provider: ReturnType<typeof SafeProvider.init> | undefined
function chain() {
  provider ??= SafeProvider.init({
    provider: {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_chainId') return numberToHex(CHAIN_ID)
        if (method === 'eth_getCode') return '0x6001'
        const [call] = Array.isArray(params) ? params : []
        const { to, data } = Object(call)
        if (method === 'eth_call' && data === toFunctionSelector('proxyCreationCode()')) {
          const version = deploymentAt(to)?.version
          const found = Object.entries(proxies).find(([known]) => known === version)
          if (found) return encodeAbiParameters([{ type: 'bytes' }], [found[1].creationCode])
        }
        // By a code that says so: the kit asks again and again, with pauses, after any other failure.
        throw Object.assign(new Error(`The kit asks for ${method}.`), { code: METHOD_NOT_FOUND })
      },
    },
  })
  return provider
}

describe('batches', { timeout: 60_000 }, () => {
  const entry = fc.record({ to: address, value: uint256, data: bytes, operation: fc.constantFrom<(0 | 1)[]>(0, 1) })

  test('property: are written and read as by the kit', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), (entries) => {
        const data = encodeMultiSend(entries)
        const [transactions] = decodeFunctionData({ abi: multiSendAbi, data }).args
        expect(transactions).toBe(
          encodeMultiSendData(entries.map((entry) => ({ ...entry, value: String(entry.value) }))),
        )
        const read = decodeMultiSend(data).map((entry) => ({ ...entry, value: String(entry.value) }))
        expect(read).toEqual(decodeMultiSendData(data).map((entry) => ({ ...entry, to: getAddress(entry.to) })))
      }),
      options,
    )
  })
})

describe('executions', { timeout: 60_000 }, () => {
  test.each(['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0'] as const)(
    'property: calldata, %s',
    async (version) => {
      const contract = await getSafeContract({ safeProvider: await chain(), safeVersion: version })
      fc.assert(
        fc.property(address, uint256, bytes, bytes, (to, value, data, signatures) => {
          const tx = newSafeTx({ to, value, data, safeTxGas: value, gasPrice: 1n, refundReceiver: to, nonce: 0n })
          const { operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = tx
          const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatures]
          // The contracts of the releases differ in the types that the kit declares, not in this function.
          const encode = contract.encode.bind(contract) as (name: string, args: readonly unknown[]) => string
          expect(encode('execTransaction', args)).toBe(encodeExecTransaction(tx, signatures))
        }),
        options,
      )
    },
  )

  test.each(['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0'])(
    'default: types that a wallet is shown, %s',
    (version) => {
      const safeTx = newSafeTx({ to: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf', nonce: 0n })
      const ours = safeTxTypedData({ chainId: CHAIN_ID, safeAddress: safeTx.to, version, safeTx })
      expect(ours.types.SafeTx).toEqual(getEip712TxTypes(version).SafeTx)
    },
  )
})

describe('new Safes', { timeout: 120_000 }, () => {
  const people = fc.record({
    owners: fc.uniqueArray(
      address.filter((address) => BigInt(address) > 1n),
      { minLength: 1, maxLength: 5 },
    ),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    saltNonce: uint256,
  })
  type Kit = Parameters<typeof predictByKit>[0]

  async function askKit(
    version: '1.1.1' | '1.3.0' | '1.4.1' | '1.5.0',
    account: Kit['safeAccountConfig'],
    { saltNonce, isL2 }: { saltNonce: bigint; isL2: boolean },
  ): Promise<{ address: string; initCode: string }> {
    const request: Kit = {
      safeProvider: await chain(),
      chainId: BigInt(CHAIN_ID),
      safeAccountConfig: account,
      safeDeploymentConfig: { saltNonce: String(saltNonce), safeVersion: version },
      isL1SafeSingleton: !isL2,
    }
    return { address: await predictByKit(request), initCode: await getPredictedSafeAddressInitCode(request) }
  }

  test.each([
    ['1.3.0', false],
    ['1.3.0', true],
    ['1.4.1', false],
    ['1.4.1', true],
    ['1.5.0', false],
    ['1.5.0', true],
  ] as const)('property: address and call of the factory, %s, L2 %s', async (version, isL2) => {
    await fc.assert(
      fc.asyncProperty(people, async ({ owners, share, saltNonce }) => {
        const threshold = 1 + Math.floor(share * (owners.length - 1))
        const kit = await askKit(version, { owners, threshold }, { saltNonce, isL2 })
        const safe = { version, isL2, owners, threshold, saltNonce }
        expect(predictSafeAddress(safe)).toBe(kit.address)
        const { to, data } = encodeCreateProxy(safe)
        expect(concat([to, data]).toLowerCase()).toBe(kit.initCode.toLowerCase())
      }),
      runs(8),
    )
  })

  test('property: with a set-up of its own, 1.1.1', async () => {
    const singleton = officialDeployment('singleton', '1.1.1')
    const factory = officialDeployment('factory', '1.1.1')
    if (singleton === null || factory === null) throw new Error('The table has no Safe 1.1.1.')
    const setUp = fc.record({
      to: address,
      data: bytes,
      fallbackHandler: address,
      paymentToken: address,
      payment: fc.nat(),
      paymentReceiver: address,
    })
    await fc.assert(
      fc.asyncProperty(people, setUp, async ({ owners, saltNonce }, fields) => {
        const kit = await askKit('1.1.1', { owners, threshold: 1, ...fields }, { saltNonce, isL2: false })
        const setup = { owners, threshold: 1, ...fields, payment: BigInt(fields.payment) }
        const creation = {
          method: 'createProxyWithNonce',
          singleton: singleton.address,
          callback: null,
          saltNonce,
          initializer: encodeSetup(setup, '1.1.1'),
        }
        expect(predictProxyAddress({ creation, factory, chainId: CHAIN_ID })).toBe(kit.address)
        const initCode: Hex = concat([factory.address as Address, encodeProxyCreation(creation)])
        expect(initCode.toLowerCase()).toBe(kit.initCode.toLowerCase())
      }),
      runs(8),
    )
  })
})
