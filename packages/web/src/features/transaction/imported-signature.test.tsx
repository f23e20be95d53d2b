import { confirmTransaction, getTransaction, type MultisigTransaction } from '@countersign/contract'
import { type SafeTx, safeTxTypedData } from '@countersign/safe'
import { waitFor } from '@testing-library/react'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectAccessible, type FakeBrowser, fill, findPart, startBrowser, team } from '../../test/open-page.ts'
import { expectButton, expectVerdict, expectWords, openFold, pressEnabled, tickAll } from '../../test/review-page.ts'
import { startTreasury, type Treasury } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
let transaction: MultisigTransaction
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
  transaction = await treasury.propose({ to: team.stranger.address, value: 1n })
  await browser.comeBack(team.anna)
})
afterEach(() => browser.close())

const sign = ({ privateKey }: typeof team.anna, { safeTx }: MultisigTransaction): Promise<Hex> =>
  privateKeyToAccount(privateKey).signTypedData(safeTxTypedData({ ...treasury.safe, safeTx: safeTx as SafeTx }))
const paste = (signature: string) => fill('Signature as hex', signature)

/** Opens the page of Anna's proposal, with the form. */
async function open(): Promise<void> {
  await browser.open(treasury.transactionPath(transaction))
  await tickAll()
  await openFold('Import a signature')
}

describe('a signature that was made elsewhere', () => {
  test('default: the form shows its signer and its kind; after the import, it counts', async () => {
    await open()
    // As copied from a terminal: with line breaks and without 0x.
    const signature = await sign(team.bruno, transaction)
    await paste(`${signature.slice(2, 70)}\n${signature.slice(70)}`)
    await findPart(`[data-imported="${team.bruno.address}"][data-kind="EOA"]`)
    await expectAccessible()
    await pressEnabled('Import')
    await expectWords('Confirmation saved.')
    await expectWords('2 of 2 confirmations')
    expect(browser.server.asked(confirmTransaction)).toMatchObject([{ signature, isImported: true }])
    await paste(signature)
    await findPart('[data-import-problem="confirmed"]')
    await pressEnabled('Execute')
    await expectWords('The chain shows it as executed.')
    await waitFor(() => expect(document.querySelector('[data-import="offered"]')).toBeNull())
  })

  test('behavior: if no owner signed this transaction with it, it is refused with its signer', async () => {
    await open()
    await paste('0x12 not hex')
    await expectWords('Not valid hex.')
    await paste('0x1234')
    await findPart('[data-import-problem="malformed"]')
    await paste(await sign(team.stranger, transaction))
    await findPart(`[data-import-problem="not-owner"] [data-address="${team.stranger.address}"]`)
    // An owner's signature, but for a different proposal.
    const other = await treasury.propose({ to: team.stranger.address, value: 2n, nonce: 0n })
    await open()
    await paste(await sign(team.bruno, other))
    const problem = '[data-import-problem="other-hash"]'
    await findPart(`${problem} [data-address="${team.bruno.address}"]`)
    await findPart(`${problem} [data-hash="${other.safeTxHash}"]`)
    await expectButton('Import', 'disabled')
    await expectAccessible()
  })

  test('behavior: if the fields under the hash change after the review, nothing is sent', async () => {
    await open()
    await paste(await sign(team.bruno, transaction))
    await findPart(`[data-imported="${team.bruno.address}"]`)
    const changed = { ...transaction, safeTx: { ...(transaction.safeTx as SafeTx), value: 7n } }
    const reply = { transaction: changed, others: [], formerConfirmations: [], reports: [], declaredEffects: null }
    browser.server.answer(getTransaction, reply)
    await pressEnabled('Import')
    await expectVerdict('do-not-sign')
    expect(browser.server.asked(confirmTransaction)).toEqual([])
  })
})
