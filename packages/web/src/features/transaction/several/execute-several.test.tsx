import { findListedTokens, getConfiguration } from '@countersign/contract'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterEach, beforeEach, test } from 'vitest'
import { configuration, devnet } from '../../../test/configuration.ts'
import { type FakeBrowser, findPart, pressButton, startBrowser, team } from '../../../test/open-page.ts'
import { expectWords } from '../../../test/review-page.ts'
import { startTreasury, type Treasury, token } from '../../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

test('behavior: a row says why its transaction cannot be reviewed, and reviews it again', async () => {
  const chains = [{ ...devnet, tokens: [token], listRevision: '1' }]
  browser.server.answer(getConfiguration, { ...configuration, chains })
  browser.server.fail(findListedTokens, 'INTERNAL')
  const args = [team.stranger.address, 1n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const transaction = await treasury.propose({ to: token.address, data })
  await treasury.confirm(transaction, team.bruno)
  await browser.comeBack(team.anna)
  await browser.open(treasury.path('/execute'))
  await expectWords('Something went wrong on the server')
  browser.server.answer(findListedTokens, { revision: '1', tokens: [] })
  await pressButton('Retry')
  await findPart('[data-several-verdict]')
})
