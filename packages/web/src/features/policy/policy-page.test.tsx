import {
  approvePolicy,
  getReviewLists,
  getSpentAmounts,
  type PolicyVersion,
  proposePolicy,
} from '@countersign/contract'
import { hashPolicy, nextPolicy, parsePolicy, policyTypedData, type TeamPolicy, writePolicy } from '@countersign/review'
import { fireEvent, screen } from '@testing-library/react'
import { type Address, parseEther, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeEventSource } from '../../test/browser-stubs.ts'
import { expectAccessible, type FakeBrowser, findPart, pressButton, startBrowser, team } from '../../test/open-page.ts'
import { expectVerdict, expectWords, findButton } from '../../test/review-page.ts'
import { send, startTreasury, type Treasury } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
let inForce: PolicyVersion | null
let proposed: PolicyVersion | null
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
  inForce = null
  proposed = null
  answerPolicy()
})
afterEach(() => browser.close())

const at = () => new Date().toISOString()
const place = () => ({ chainId: treasury.safe.chainId, safeAddress: treasury.safe.safeAddress })
const approvalBy = async (policy: TeamPolicy, { address, privateKey }: typeof team.anna) => ({
  owner: address,
  signature: await privateKeyToAccount(privateKey).signTypedData(policyTypedData(policy)),
  signedAt: at(),
})

async function versionBy(policy: TeamPolicy, ...owners: (typeof team.anna)[]): Promise<PolicyVersion> {
  return {
    policy: writePolicy(policy),
    hash: hashPolicy(policy),
    number: policy.number,
    proposer: team.anna.address,
    proposedAt: at(),
    inForceSince: owners.length > 1 ? at() : null,
    approvals: await Promise.all(owners.map((owner) => approvalBy(policy, owner))),
    withdrawals: [],
  }
}

/** Makes the server serve the policy, and keep the versions and approvals of owners. */
function answerPolicy(): void {
  const { server } = browser
  const lists = treasury.lists
  server.answer(getReviewLists, (asked) => ({
    ...lists(asked),
    ...(asked.lists.includes('policy') && { policy: { inForce, proposed } }),
  }))
  treasury.servedNow = () => ({ hasPolicy: inForce !== null || proposed !== null })
  server.answer(proposePolicy, ({ policy, signature }) => {
    const parsed = parsePolicy(policy)
    const owner = server.session?.address as Address
    proposed = {
      policy,
      hash: hashPolicy(parsed),
      number: parsed.number,
      proposer: owner,
      proposedAt: at(),
      inForceSince: null,
      approvals: [{ owner, signature, signedAt: at() }],
      withdrawals: [],
    }
    return proposed
  })
  server.answer(approvePolicy, ({ signature }) => {
    if (!proposed) throw new Error('No version is proposed.')
    const owner = server.session?.address as Address
    inForce = {
      ...proposed,
      inForceSince: at(),
      approvals: [...proposed.approvals, { owner, signature, signedAt: at() }],
    }
    proposed = null
    return inForce
  })
}

const restricted = () => ({
  ...nextPolicy(place(), null),
  recipientsOnly: true,
  recipients: [team.relayer.address],
  reason: 'Payees only',
})
const onlyRelayer = () => versionBy(restricted(), team.anna, team.bruno)

describe('the policy of a team', () => {
  test('behavior: proposed by one owner and approved by another in the page', async () => {
    await browser.comeBack(team.bruno)
    await browser.open(treasury.path('/team/policy'))
    await expectWords('No policy yet')
    await expectAccessible()
    proposed = await versionBy(restricted(), team.anna)
    FakeEventSource.tell({ kind: 'team', ...place() })
    expect((await findPart('[data-proposed="1"]')).textContent).toContain('“Payees only”')
    await expectWords(`+ Known recipient ${team.relayer.address}`)
    const { hash } = proposed
    await pressButton('Approve version 1')
    await findPart(`[data-in-force="1"] [data-hash="${hash}"]`)
    await expectAccessible()
  })

  test('behavior: it blocks restricted transactions, on their page and in lists', async () => {
    inForce = await onlyRelayer()
    const toStranger = await treasury.propose({ to: team.stranger.address, value: 1n })
    const toKnown = await treasury.propose({ to: team.relayer.address, value: 1n })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(toStranger))
    await expectVerdict('do-not-sign')
    await expectWords('Breaks a restriction of the team’s policy')
    expect(findButton('Confirm')).toBeNull()
    await browser.open(treasury.transactionPath(toKnown))
    await findPart('[data-verdict^="matches"]')

    await browser.open(treasury.path('/queue'))
    await findPart('[data-nonce="0"] [data-listed-verdict="do-not-sign"]')
    await findPart('[data-nonce="1"] [data-listed-verdict^="matches"]')
    await browser.open('/')
    await findPart(`[data-safe="${treasury.safe.safeAddress}"] [data-waiting-verdict="do-not-sign"]`)
  })

  test('behavior: an owner proposes the next version with the form', async () => {
    inForce = await onlyRelayer()
    await browser.comeBack(team.bruno)
    await browser.open(treasury.path('/team/policy'))
    fireEvent.click(await screen.findByRole('checkbox', { name: /No unknown code/ }))
    await pressButton('Propose version 2')
    expect((await findPart('[data-proposed="2"]')).textContent).toContain(
      '+ Only batches and allowed entries may run as the Safe',
    )
    await expectAccessible()
    const [sent] = browser.server.asked(proposePolicy)
    expect(JSON.parse(sent?.policy ?? '')).toMatchObject({ number: 2, noDelegatecall: true, recipientsOnly: true })
  })

  test.each([
    ['hides it', () => null],
    ['serves an older version', (first: PolicyVersion) => first],
  ])('behavior: the page detects a server that %s', async (_, lie) => {
    const first = await onlyRelayer()
    const policy = {
      ...nextPolicy(place(), { policy: parsePolicy(first.policy), hash: first.hash }),
      noDelegatecall: true,
    }
    inForce = await versionBy(policy, team.anna, team.bruno)
    const transaction = await treasury.propose({ to: team.relayer.address, value: 1n })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.path('/team/policy'))
    await findPart('[data-in-force="2"]')
    inForce = lie(first)
    await browser.open(treasury.transactionPath(transaction))
    await expectWords('The team’s policy is missing or was rolled back')
    await expectVerdict('do-not-sign')
    expect(findButton('Confirm')).toBeNull()
    await browser.open(treasury.path('/team/policy'))
    await expectWords('The policy is missing or was rolled back')
  })

  test('behavior: the first policy reaches an open queue, and the queue notices if the server withholds it', async () => {
    const transaction = await treasury.propose({ to: team.stranger.address, value: 1n })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.path('/queue'))
    await findPart('[data-nonce="0"] [data-listed-verdict^="matches"]')
    inForce = await onlyRelayer()
    FakeEventSource.tell({ kind: 'team', ...place() })
    await findPart('[data-nonce="0"] [data-listed-verdict="do-not-sign"]')
    treasury.servedNow = () => ({ hasPolicy: false })
    await browser.open(treasury.transactionPath(transaction))
    await expectWords('The team’s policy is missing or was rolled back')
    await expectVerdict('do-not-sign')
    expect(findButton('Confirm')).toBeNull()
  })
})

describe('an amount limit', () => {
  const limited = (amount: bigint, period: number) => ({
    ...nextPolicy(place(), null),
    amountLimits: [{ asset: zeroAddress as Address, amount, period }],
  })
  const spent = (period: number, queued: bigint) =>
    browser.server.answer(getSpentAmounts, { spent: [{ asset: zeroAddress, period, executed: 0n, queued }] })

  test('behavior: meters show the used amount, and detect a server that claims less than it returns', async () => {
    const month = 30 * 86_400
    inForce = await versionBy(limited(parseEther('4'), month), team.anna, team.bruno)
    await treasury.propose({ to: team.relayer.address, value: parseEther('1') })
    spent(month, parseEther('1'))
    await browser.comeBack(team.bruno)
    await browser.open(treasury.path('/team/policy'))
    const meter = await findPart(`[data-meter="${zeroAddress}"]`)
    await expectWords('3 ETH left of 4 ETH')
    await expectWords('This browser computes 1 ETH of that from 1 transaction')
    expect(meter.getAttribute('data-percent')).toBe('25')
    await expectAccessible()

    spent(month, 0n)
    await browser.open(treasury.path('/team/policy'))
    await expectWords('returns transactions that move more')
    await expectWords('3 ETH left of 4 ETH')
  })

  test('behavior: a server that hides an execution does not free the limit, because the page reads it from the chain', async () => {
    const to = team.relayer.address
    const paid = await treasury.propose({ to, value: parseEther('1.5') })
    await treasury.confirm(paid, team.bruno)
    await send(treasury.executionOf(paid))
    treasury.transactions = []
    inForce = await versionBy(limited(parseEther('2'), 86_400), team.anna, team.bruno)
    const transaction = await treasury.propose({ to, value: parseEther('1'), nonce: 1n })
    spent(86_400, 0n)
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('do-not-sign')
    await findPart('[data-finding="POLICY-BROKEN"]')
    await browser.open(treasury.path('/team/policy'))
    await expectWords('Executed in the period, as the chain says: 1.5 ETH.')
  })
})
