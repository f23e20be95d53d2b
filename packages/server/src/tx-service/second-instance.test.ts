import { addSafe, call, getTransaction, proposeTransaction } from '@countersign/contract'
import { readServiceQueue } from '@countersign/safe-core'
import { expect, test } from 'vitest'
import { addedSafe, alice, asAlice, bob, chainId, devnet, openTeam, proposed, queueOf, server } from '../test/scene.ts'
import { devnetChain, signInAs, startTestServer } from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'

openTeam()

test('what a second instance answers on the wire is a queue that can be brought here', async () => {
  const safeAddress = await addedSafe()
  const other = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], hasRateLimits: false })
  try {
    const there = await signInAs(other, alice)
    await call(there, addSafe, { chainId, address: safeAddress })
    await proposed(safeAddress, { value: 1n }, bob)
    const [mine] = await queueOf(safeAddress)
    // There and not here: this instance is the one that is moved from.
    const { kit } = await newTxClient(server, asAlice)
    const pages = [await kit.getMultisigTransactions(safeAddress), await kit.getPendingTransactions(safeAddress)]
    const text = JSON.stringify(pages)
    const { proposals, unusable } = readServiceQueue(text, { chainId, safeAddress, version: '1.4.1' })
    expect(unusable).toEqual([])
    expect(proposals).toHaveLength(1)
    for (const { safeTx, safeTxHash, origin, signatures } of proposals)
      for (const { owner, signature } of signatures) {
        const signed = { safeTx, safeTxHash, origin, sender: owner, signature, isImported: true }
        await call(there, proposeTransaction, { chainId, safeAddress, ...signed })
      }
    const brought = await call(there, getTransaction, { chainId, safeTxHash: mine?.safeTxHash ?? '0x' })
    const signatureOf = ({ owner, signature }: { owner: string; signature: string }) => [owner, signature]
    expect(brought.transaction).toMatchObject({ safeTx: mine?.safeTx, proposer: bob.address })
    expect(brought.transaction.confirmations.map(signatureOf)).toEqual(mine?.confirmations.map(signatureOf))
  } finally {
    await other.stop()
  }
})
