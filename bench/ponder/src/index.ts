import { ponder } from 'ponder:registry'
import { history, transaction } from 'ponder:schema'
import { decodeAbiParameters } from 'viem'

function place({ block, log, transaction: { hash } }, safeAddress = log.address) {
  return {
    safeAddress,
    blockNumber: block.number,
    logIndex: log.logIndex,
    blockTime: block.timestamp,
    transactionHash: hash,
  }
}

ponder.on('Safe:SafeMultiSigTransaction', async ({ event, context }) => {
  const { additionalInfo, operation: callOperation, ...fields } = event.args
  const [nonce, , threshold] = decodeAbiParameters(
    [{ type: 'uint256' }, { type: 'address' }, { type: 'uint256' }],
    additionalInfo,
  )
  await context.db.insert(transaction).values({
    safeAddress: event.log.address,
    nonce,
    threshold,
    callOperation,
    ...fields,
    transactionHash: event.transaction.hash,
    executor: event.transaction.from,
    blockNumber: event.block.number,
    logIndex: event.log.logIndex,
    executionDate: event.block.timestamp,
  })
  if (callOperation === 0 && fields.value > 0n)
    await context.db.insert(history).values({
      ...place(event),
      part: 1,
      kind: 'transfer-out',
      tokenKind: 'native',
      counterparty: fields.to,
      amount: fields.value,
    })
})

for (const [name, isSuccessful] of [
  ['Safe:ExecutionSuccess', true],
  ['Safe:ExecutionFailure', false],
] as const)
  ponder.on(name, async ({ event, context }) => {
    const { txHash: safeTxHash } = event.args
    await context.db.insert(history).values({ ...place(event), part: 0, kind: 'executed', safeTxHash, isSuccessful })
  })

for (const [name, kind] of [
  ['Safe:AddedOwner', 'owner-added'],
  ['Safe:RemovedOwner', 'owner-removed'],
] as const)
  ponder.on(name, async ({ event, context }) => {
    await context.db.insert(history).values({ ...place(event), part: 0, kind, subject: event.args.owner })
  })

ponder.on('Safe:SafeReceived', async ({ event, context }) => {
  const { sender: counterparty, value: amount } = event.args
  await context.db
    .insert(history)
    .values({ ...place(event), part: 0, kind: 'transfer-in', tokenKind: 'native', counterparty, amount })
})

ponder.on('Outgoing:Transfer', async ({ event, context }) => {
  const { from, to: counterparty, value: amount } = event.args
  await context.db.insert(history).values({
    ...place(event, from),
    part: 0,
    kind: 'transfer-out',
    tokenKind: 'erc20',
    token: event.log.address,
    counterparty,
    amount,
  })
})

ponder.on('Incoming:Transfer', async ({ event, context }) => {
  const { from: counterparty, to, value: amount } = event.args
  await context.db.insert(history).values({
    ...place(event, to),
    part: 1,
    kind: 'transfer-in',
    tokenKind: 'erc20',
    token: event.log.address,
    counterparty,
    amount,
  })
})
