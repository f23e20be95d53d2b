import {
  canExecute,
  encodeSignatures,
  explainRevert,
  hashSafeTx,
  newSafeTx,
  recoverConfirmation,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import fc from 'fast-check'
import { decodeAbiParameters, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { allVersions, callAll, deployAnySafe } from './test-safes.ts'

const RUNS = 60
const [first, second, third, outsider] = [demoAccounts[3], demoAccounts[4], demoAccounts[5], demoAccounts[6]]
const owners = [first.address, second.address, third.address]
const sender = demoAccounts[8].address
/** Refusals by `checkSignatures` of too few signatures, or of those for another hash: by code, or in words before. */
const REFUSALS = [
  'GS020',
  'GS026',
  'Signatures data too short',
  'Invalid owner provided',
  'Invalid signatures provided',
]

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(() => devnet?.close())

describe('canExecute', () => {
  test.each(allVersions)('says what a Safe %s does', async (version) => {
    const { rpcUrl, chainId } = devnet
    const safeAddress = await deployAnySafe({ rpcUrl, chainId, version, owners, threshold: 2, saltNonce: 77n })
    await sendAll(rpcUrl, sender, [{ to: safeAddress, value: parseEther('1'), gas: 100_000n }])
    const safe = { owners, threshold: 2, nonce: 0n }

    const inputs = fc.record({
      nonce: fc.constantFrom(0n, 0n, 0n, 1n, 7n),
      signers: fc.subarray([first, second, third, outsider]),
      value: fc.bigInt({ min: 0n, max: 1_000n }),
    })
    const cases = await Promise.all(
      fc.sample(inputs, runs(RUNS)).map(async ({ nonce, signers, value }) => {
        const safeTx = newSafeTx({ to: sender, value, nonce })
        const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
        const confirmations = await Promise.all(
          signers.map(async ({ privateKey }) =>
            recoverConfirmation(safeTxHash, await privateKeyToAccount(privateKey).sign({ hash: safeTxHash })),
          ),
        )
        const counted = confirmations.filter(({ owner }) => owners.some((account) => account === owner))
        return {
          may: canExecute({ safe, transaction: { nonce, isExecuted: false, confirmations }, account: sender }),
          data: encodeExecTransaction(safeTx, encodeSignatures(counted)),
        }
      }),
    )
    const results = await callAll(
      rpcUrl,
      cases.map(({ data }) => ({ to: safeAddress, data })),
    )
    const answers = new Set<string>()
    results.forEach((result, at) => {
      const may = cases[at]?.may
      if (may === undefined) throw new Error('There is no such case.')
      answers.add(may.ok ? 'ok' : may.code)
      if (!result.isReverted) {
        const [isSuccessful] = decodeAbiParameters([{ type: 'bool' }], result.data)
        expect({ may, isSuccessful }).toEqual({ may: { ok: true }, isSuccessful: true })
        return
      }
      expect(may.ok, JSON.stringify(explainRevert(result.data))).toBe(false)
      const explained = explainRevert(result.data)
      expect(REFUSALS).toContain(explained.kind === 'safe' ? explained.reason.code : explained.kind)
    })
    expect([...answers].sort()).toEqual(['NONCE_OUT_OF_ORDER', 'THRESHOLD_NOT_REACHED', 'ok'])
  })
})
