import { addSafe, call, listActivity } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { encodeExecTransaction } from '@countersign/safe/calls'
import type { Address, Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createActor } from '../../test/safe-actor.ts'
import { asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { eventually, newSafe, signedTx } from '../../test/test-server.ts'
import { newTxClient, type TxClient } from '../../test/tx-client.ts'
import { removeUnsignedProposals } from './remove-unsigned.ts'

const [alice] = demoAccounts
const chainId = 31337
const DAY = 86_400_000

let client: TxClient
let safeAddress: Address

openScene([alice])

beforeAll(async () => {
  client = await newTxClient(server, asAlice)
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
})

async function propose(nonce: bigint, isSigned: boolean): Promise<{ safeTxHash: Hex; signature: Hex; data: Hex }> {
  const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, alice, { nonce })
  const { value, safeTxGas, baseGas, gasPrice, ...rest } = safeTx
  const { status } = await client.post(`/v2/safes/${safeAddress}/multisig-transactions/`, {
    ...rest,
    nonce: nonce.toString(),
    value: String(value),
    safeTxGas: String(safeTxGas),
    baseGas: String(baseGas),
    gasPrice: String(gasPrice),
    contractTransactionHash: safeTxHash,
    sender: alice.address,
    signature: isSigned ? signature : null,
  })
  expect(status).toBe(201)
  return { safeTxHash, signature, data: encodeExecTransaction(safeTx, signature) }
}

async function isStored({ safeTxHash }: { safeTxHash: Hex }): Promise<boolean> {
  return (await client.ask(`/v2/multisig-transactions/${safeTxHash}/`)).status === 200
}

const removeAfter = (days: number) =>
  removeUnsignedProposals({ db: server.db, clock: () => new Date(Date.now() + days * DAY) })

test('default: what nobody signed ends after 30 days, and the log says what it was; what is signed stays', async () => {
  const unsigned = await propose(10n, false)
  const signed = await propose(11n, true)
  const later = await propose(12n, false)
  const { signature } = later
  const confirmed = await client.post(`/v1/multisig-transactions/${later.safeTxHash}/confirmations/`, { signature })
  expect(confirmed.status).toBe(201)
  await removeAfter(29)
  expect(await isStored(unsigned)).toBe(true)
  await removeAfter(31)
  expect(await Promise.all([unsigned, signed, later].map(isStored))).toEqual([false, true, true])
  const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
  expect(entries.find(({ verb }) => verb === 'deleted')).toMatchObject({
    account: null,
    safeTxHash: unsigned.safeTxHash,
    detail: { proposer: alice.address, nonce: '10', unsignedSince: expect.stringMatching(/Z$/) },
  })
})

test('behavior: what was executed all the same is history: listed, and kept', async () => {
  const { safeTxHash, data } = await propose(0n, false)
  await createActor(devnet.rpcUrl).send({ to: safeAddress, data })
  const listed = async () =>
    (await client.ask(`/v2/safes/${safeAddress}/multisig-transactions/?executed=true`)).body.results
  const [found] = await eventually(async () => {
    const all = await listed()
    return all.length === 1 && all
  })
  expect(found).toMatchObject({ safeTxHash, trusted: true, isExecuted: true })
  await removeAfter(31)
  expect(await listed()).toHaveLength(1)
})
