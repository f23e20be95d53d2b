import { call, getReviewLists, proposeTransaction } from '@countersign/contract'
import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { deletedProposal } from '../../db/team-schema.ts'
import { addedSafe, alice, asAlice, chainId, openTeam, server } from '../../test/scene.ts'
import { signedTx } from '../../test/test-server.ts'
import { MAX_DELETED } from '../alive/queries.ts'

openTeam()

test('edge: if not all competing proposals fit, only those of the lowest nonces are listed', async () => {
  const safeAddress = await addedSafe()
  const [first, second] = await Promise.all([0n, 1n].map((nonce) => signedTx(safeAddress, alice, { nonce })))
  for (const signed of [first, second])
    if (signed) await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed })
  const listed = async () => {
    const { claims } = await call(asAlice, getReviewLists, { chainId, safeAddress, lists: ['claims'] })
    return claims?.proposals.map(({ safeTxHash }) => safeTxHash)
  }
  expect(await listed()).toEqual([first?.safeTxHash, second?.safeTxHash])
  const row = { chainId, safeAddress, nonce: 5n, signatures: [], bytes: 0, keptBy: alice.address }
  const deleted = Array.from({ length: MAX_DELETED }, (_, at) => ({ ...row, hash: toHex(at, { size: 32 }) }))
  await server.db.insert(deletedProposal).values(deleted.map((one) => ({ ...one, deletedDate: new Date() })))
  expect(await listed()).toEqual([first?.safeTxHash])
})
