import { findListedTokens, getConfiguration, getTransaction, listQueue, listSignatures } from '@countersign/contract'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterEach, beforeEach, test } from 'vitest'
import { configuration, devnet } from '../../test/configuration.ts'
import { type FakeBrowser, findPart, pressButton, startBrowser, team } from '../../test/open-page.ts'
import { expectGone, expectWords } from '../../test/review-page.ts'
import { startTreasury, type Treasury, token } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

/** Opens the page with one transaction that Anna has signed. */
async function openSigned(): Promise<void> {
  const args = [team.stranger.address, 1n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const { safeTxHash: hash, safeTx, confirmations } = await treasury.propose({ to: token.address, data })
  const about = { content: null, isDeleted: false, isSignedOnChain: false }
  const signed = { kind: 'transaction' as const, hash, safeTx, ...about, signatures: confirmations }
  browser.server.answer(listSignatures, { signed: [signed], nextCursor: null })
  await browser.comeBack(team.anna)
  await browser.open(treasury.path('/signatures'))
  await findPart(`[data-alive="${hash}"]`)
}

test('behavior: a row says why its transaction cannot be reviewed, and reviews it again', async () => {
  const chains = [{ ...devnet, tokens: [token], listRevision: '1' }]
  browser.server.answer(getConfiguration, { ...configuration, chains })
  browser.server.fail(findListedTokens, 'INTERNAL')
  await openSigned()
  await expectWords('Something went wrong on the server')
  browser.server.answer(findListedTokens, { revision: '1', tokens: [] })
  await pressButton('Retry')
  await findPart('[data-alive] [data-verdict]')
  await expectGone('[role="alert"]')
})

test('behavior: a row says why a transaction outside of the queue cannot be read, and reads it again', async () => {
  browser.server.answer(listQueue, { transactions: [], nextCursor: null })
  browser.server.fail(getTransaction, 'INTERNAL')
  await openSigned()
  await expectWords('Something went wrong on the server')
  browser.server.restore(getTransaction)
  await pressButton('Retry')
  await findPart('[data-alive] [data-verdict]')
  await expectGone('[role="alert"]')
})
