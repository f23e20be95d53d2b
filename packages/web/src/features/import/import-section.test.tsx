import { confirmMessage, getConfiguration, nameAddress, readOtherService } from '@countersign/contract'
import { hashSafeMessage, hashSafeTx, newSafeTx, safeMessageTypedData, safeTxTypedData } from '@countersign/safe'
import { screen, waitFor, within } from '@testing-library/react'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configuration, devnet } from '../../test/configuration.ts'
import { keepMessages } from '../../test/messages.ts'
import {
  chooseFile,
  expectAccessible,
  type FakeBrowser,
  fill,
  findPart,
  press,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { expectWords, openFold, pressEnabled } from '../../test/review-page.ts'
import { startTreasury, type Treasury } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

const to = team.stranger.address
const [anna, bruno, stranger] = [team.anna, team.bruno, team.stranger].map(({ privateKey }) =>
  privateKeyToAccount(privateKey),
) as [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount]

async function open(path: string): Promise<void> {
  await browser.comeBack(team.anna)
  await browser.open(treasury.path(path))
}

/** Returns a transaction in the format of the service. Each signature signs the value given for its owner. */
async function served(nonce: bigint, signedValues: { anna?: bigint; bruno?: bigint }, fields: object = {}) {
  const safeTx = newSafeTx({ to, value: 1n, nonce })
  const sign = async (account: PrivateKeyAccount, value?: bigint) => {
    if (value === undefined) return []
    const typedData = safeTxTypedData({ ...treasury.safe, safeTx: { ...safeTx, value } })
    return [{ owner: account.address, signature: await account.signTypedData(typedData) }]
  }
  const { safeTxHash } = hashSafeTx({ ...treasury.safe, safeTx })
  return {
    ...safeTx,
    safe: treasury.safe.safeAddress,
    safeTxHash,
    proposer: bruno.address,
    confirmations: [...(await sign(anna, signedValues.anna)), ...(await sign(bruno, signedValues.bruno))],
    ...fields,
  }
}

const asJson = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))

describe('the queue of another service', () => {
  test('default: is imported with the signatures that verify; mismatches are listed; a second import changes nothing', async () => {
    const both = await served(0n, { anna: 1n, bruno: 1n }, { origin: 'rent' })
    const forAnother = await served(1n, { anna: 2n, bruno: 1n })
    const changed = await served(2n, { bruno: 1n }, { value: '9' })
    const unsigned = await served(3n, {})
    const bring = async () => {
      await open('/settings')
      await openFold('From a Safe Transaction Service')
      await fill('JSON of the service', asJson({ results: [both, forAnother, changed, unsigned] }))
      await expectWords('3 proposals found.')
      expect((await findPart('[data-left-out="other-hash"]')).textContent).toContain(changed.safeTxHash.slice(2, 6))
      await pressEnabled('Import proposals')
    }
    await bring()
    await expectWords('New proposals: 2. New confirmations: 3.')
    await findPart(`[data-left-out="${forAnother.safeTxHash}"] [data-address="${anna.address}"]`)
    const leftOut = await findPart(`[data-left-out="${unsigned.safeTxHash}"]`)
    expect(leftOut.textContent).toContain('It came without a signature of an owner.')
    await expectAccessible()
    await bring()
    await expectWords('New proposals: 0. New confirmations: 0.')
    const ownersOf = (hash: string) =>
      treasury.transactions
        .find(({ safeTxHash }) => safeTxHash === hash)
        ?.confirmations.map(({ owner }) => owner)
        .toSorted()
    expect(treasury.transactions.map(({ origin }) => origin)).toContain('rent')
    expect(ownersOf(both.safeTxHash)).toEqual([anna.address, bruno.address].toSorted())
    expect(ownersOf(forAnother.safeTxHash)).toEqual([bruno.address])
  })

  test('behavior: names of a Safe Wallet export are written once', async () => {
    await open('/settings')
    await openFold('Names from a Safe Wallet export')
    const part = await findPart('[data-bring-names]')
    const data = { addressBook: { [devnet.chainId]: { [to]: 'Studio Ligne', [bruno.address]: 'x'.repeat(61) } } }
    chooseFile(within(part).getByLabelText(/^Safe Wallet data export/), 'export.json', JSON.stringify({ data }))
    await expectWords('New names: 1. Already written: 0. Not usable: 1.')
    await pressEnabled('Import names')
    await expectWords('Names written: 1.')
    await expectWords('New names: 0. Already written: 1.')
    expect(browser.server.asked(nameAddress)).toMatchObject([{ address: to, name: 'Studio Ligne' }])
    await expectAccessible()
  })
})

describe('messages of another service', () => {
  test('default: are imported with the signatures that verify; a refused message stops no other; a second import changes nothing', async () => {
    const messages = keepMessages(browser.server, treasury)
    /** As the service answers it, signed by Bruno, or in his name. */
    const answered = async (text: string, signer = bruno) => {
      const hashed = { ...treasury.safe, content: { encoding: 'EIP191_TEXT', text } } as const
      const messageHash = hashSafeMessage(hashed).safeMessageHash
      const signature = await signer.signTypedData(safeMessageTypedData(hashed))
      const confirmations = [{ owner: bruno.address, signature }]
      return { safe: treasury.safe.safeAddress, messageHash, message: text, proposedBy: bruno.address, confirmations }
    }
    const kept = await answered('Hello from there')
    const all = [await answered('Of a stranger', stranger), kept]
    const content = JSON.stringify([...all, { ...kept, message: 'Changed' }, { ...kept, safe: to }])
    const bring = async () => {
      await open('/settings')
      await openFold('Messages from a Safe Transaction Service')
      const part = await findPart('[data-bring-messages]')
      chooseFile(part.querySelector('input[type="file"]') as Element, 'messages.json', content)
      await expectWords('2 messages found.')
      await findPart('[data-left-out="other-hash"]')
      await findPart('[data-left-out="other-safe"]')
      await pressEnabled('Import messages')
    }
    await bring()
    await expectWords('New messages: 1. New confirmations: 1.')
    await expectAccessible()
    await bring()
    await expectWords('New messages: 0. New confirmations: 0.')
    expect(messages.all).toHaveLength(1)
    expect(browser.server.asked(confirmMessage)).toEqual([])
  })
})

describe('a service that the operator names', () => {
  const host = 'service.example'
  beforeEach(() => {
    browser.server.answer(getConfiguration, { ...configuration, chains: [{ ...devnet, bringFrom: host }] })
  })
  const answerService = (...results: object[]) =>
    browser.server.answer(readOtherService, { content: asJson({ next: 'https://elsewhere.example/', results }) })

  test('behavior: if it does not answer, the queue and the form report its host', async () => {
    browser.server.fail(readOtherService, 'OTHER_SERVICE_FAILED', { host, reason: 'unreachable' }, 502)
    await open('/queue')
    await expectWords(`${host} did not answer. Countersign does not know what waits only there.`)
    await browser.open(treasury.path('/new'))
    await expectWords(`${host} did not answer: what waits there is not counted.`)
  })

  test('behavior: proposals that wait only there are counted and imported with a button', async () => {
    answerService(await served(0n, { bruno: 1n }))
    await open('/new')
    await expectWords(`What waits at ${host} is counted, too.`)
    expect(screen.getByLabelText<HTMLInputElement>('Nonce', { selector: 'input' }).value).toBe('1')
    await browser.open(treasury.path('/queue'))
    await expectWords(`1 proposal waits at ${host} and not here.`)
    press(screen.getByRole('link', { name: 'Import what is there' }))
    await openFold('From a Safe Transaction Service')
    await pressEnabled(`Fetch from ${host}`)
    await expectWords('1 proposal found.')
    await pressEnabled('Import proposals')
    await expectWords('New proposals: 1. New confirmations: 1.')
    await browser.open(treasury.path('/queue'))
    await waitFor(() => expect(document.querySelector('main a[href*="/transactions/0x"]')).not.toBeNull())
    expect(document.querySelector('[data-only-there]')).toBeNull()
  })

  test('behavior: if more than 500 wait there, the unread ones are counted and can be read next', async () => {
    const unsigned = Array.from({ length: 700 }, (_, index) => {
      const safeTx = newSafeTx({ to, nonce: BigInt(index) })
      const { safeTxHash } = hashSafeTx({ ...treasury.safe, safeTx })
      return { ...safeTx, safe: treasury.safe.safeAddress, safeTxHash, confirmations: [] }
    })
    const waiting = [...unsigned, await served(600n, { bruno: 1n })]
    browser.server.answer(readOtherService, ({ page = 1 }) => ({
      content: asJson({ count: 701, results: waiting.slice((page - 1) * 100, page * 100) }),
    }))
    await open('/new')
    await expectWords(`201 more wait at ${host} behind the 500 that are read, and are not counted.`)
    await browser.open(treasury.path('/queue'))
    await expectWords(`201 more transactions wait at ${host} behind the 500 that are read`)
    await browser.open(treasury.path('/settings'))
    await openFold('From a Safe Transaction Service')
    await pressEnabled(`Fetch from ${host}`)
    await expectWords('At most 500 are read at a time, here from number 1. Left: 201.')
    await pressEnabled('Read the next 500')
    await expectWords('201 proposals found.')
    await expectWords('At most 500 are read at a time, here from number 501. Left: 0.')
    await pressEnabled('Import proposals')
    await expectWords('New proposals: 1. New confirmations: 1.')
  })
})
