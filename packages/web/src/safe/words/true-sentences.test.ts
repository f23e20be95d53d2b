import { evidenceItem, type Finding, type FindingId, findingCatalogue, type SignedReview } from '@countersign/review'
import { newSafeTx } from '@countersign/safe'
import { flattenCalls } from '@countersign/safe/calls'
import { type Address, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { reviewShape } from '../../../../review/vectors/verdicts/review-shape.ts'
import { namedAccounts, type Shape, shapes } from '../../../../review/vectors/verdicts/shapes.ts'
import { demandWords } from '../../review/acknowledge/demand-sentence.ts'
import { extentRead } from '../../review/view/is-all-read.ts'
import { checkText } from '../../review/view/review-checks.tsx'
import type { Names } from '../names/names.ts'
import { textPieces } from '../text.ts'
import { transactionTitle } from '../title/transaction-title.ts'
import { effectSentence, sentenceText } from './effect-sentence.ts'
import { findingFrom } from './finding-scene.ts'
import { countInAll, evidenceLines, findingTitle, findingWords } from './finding-words.ts'

// Every sentence of a review, through every shape of the table of thefts and ordinary work.

const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const tokens = Object.values(namedAccounts).flatMap(({ address, symbol, decimals }) =>
  symbol === undefined || decimals === undefined ? [] : [{ address, symbol, decimals, name: symbol }],
)
const names: Names = {
  safeAddress,
  owners: [],
  account: null,
  team: [],
  chain: {
    chainId: 1,
    name: 'Ethereum',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    publicRpcUrl: null,
    nameRegistry: null,
    bringFrom: null,
    listRevision: null,
    explorerUrl: null,
    isDevnet: false,
    index: 'whole-chain',
    status: 'ok',
    proof: { sources: 2, wallet: false, maxBlocksBehind: 25 },
    tokens,
  },
}

/** The acknowledgement, or without one the sentence that names the subject. */
const sayOf = (finding: Finding) =>
  demandWords({ key: zeroHash, finding, places: 1, things: [finding], way: 'tick' }, names)

/** A placeholder without a value, or the text of an unknown value. No sentence may contain it. */
const hole = /\{\w+\}|\bnot known\b|\bundefined\b|\bnull\b|\bNaN\b|: \.| {2}|“”/
/** The zero address, which cannot act, receive or decide. */
const nobody = /0x0{40}(?![0-9a-f])/
/** Findings whose sentences explain the zero address, or state that assets sent there are lost. */
const saysNobody = new Set<FindingId>(['GAS-REFUND', 'NESTED-REFUND', 'TOKEN-TO-ITSELF', 'MULTISEND-ZERO-TO'])

function faultsOf(review: SignedReview): string[] {
  const ofFindings = review.findings.flatMap((finding) => {
    const { meaning, action } = findingWords(finding.id)
    const lines = evidenceLines(finding, names).map(({ label, value }) => `${label}: ${value}`)
    const said = sayOf(finding)
    const hasSentence = textPieces(`acknowledge.${finding.id}`) !== null
    const isNobody = hasSentence && nobody.test(said) && !saysNobody.has(finding.id)
    return [
      ...[said, findingTitle(finding), meaning, action, ...lines].filter((text) => hole.test(text)),
      ...(isNobody ? [said] : []),
    ]
  })
  const ofChecks = review.checks
    .map(({ id, scope }) => checkText(id, scope))
    .filter((text) => /^check\.|Unknown/.test(text))
  if (review.kind !== 'transaction') return [...ofFindings, ...ofChecks]
  const calls = new Map(flattenCalls(review.call).map((call) => [call.path.join('.'), call]))
  const ofOthers = review.findings
    .filter(({ where, evidence }) => {
      const from = calls.get(where.call?.join('.') ?? '')?.from
      return from !== undefined && from !== safeAddress && evidence.nestedSafe === undefined
    })
    .map(sayOf)
    .filter((said) => /this Safe/i.test(said) && !said.startsWith('In the name of'))
  const ofEffects = review.effects
    .map((effect) => ({ effect, said: sentenceText(effectSentence(effect, names), String) }))
    .filter(({ effect, said }) => hole.test(said) || (nobody.test(said) && effect.key !== 'native-transfer'))
    .map(({ said }) => said)
  const title = transactionTitle(newSafeTx({ to: review.call.to, nonce: 1n }), names, { call: review.call })
  return [...ofFindings, ...ofChecks, ...ofOthers, ...ofEffects, ...(hole.test(title) ? [title] : [])]
}

const isOfMessage = ({ message }: Shape) => message !== undefined

describe('the sentences of a review', () => {
  test.each(shapes)('have no missing value, and do not let the zero address act: $file: $name', async (shape) => {
    expect(faultsOf(await reviewShape(shape))).toEqual([])
    if (shape.way === 'run') expect(faultsOf(await reviewShape(shape, { isRun: true }))).toEqual([])
  })

  test('does not claim that all calls are decoded if some are not', async () => {
    const found = new Map<string, number>()
    for (const shape of shapes.filter((one) => !isOfMessage(one))) {
      const review = await reviewShape(shape)
      if (review.kind !== 'transaction') continue
      const { extent } = extentRead(review)
      found.set(extent, (found.get(extent) ?? 0) + 1)
      const isRead = review.checks.every(
        ({ id, status }) => (id !== 'functions' && id !== 'encoding') || status === 'passed',
      )
      if (!isRead || review.effects.some(({ key }) => key === 'foreign-code')) expect(extent).not.toBe('all-read')
    }
    expect([...found.keys()].sort()).toEqual(['all-read', 'not-all-read', 'undecoded'])
  })
})

/** Evidence that sentences ask for, as findings would have it. */
const known: Record<string, string> = {
  amount: '5',
  function: 'grantRole(bytes32,address)',
  role: zeroHash,
  threshold: '2',
  owners: '3',
  after: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
}
const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const accountKinds = new Set<string | undefined>(['address', 'addresses', 'account', 'accounts', 'asset', 'assets'])

describe('an acknowledgement', () => {
  const ids = Object.keys(findingCatalogue).filter((id) => textPieces(`acknowledge.${id}`) !== null) as FindingId[]
  const valuesOf = (id: FindingId) =>
    (textPieces(`acknowledge.${id}`) ?? []).flatMap((piece) => (piece.kind === 'value' ? [piece.name] : []))
  const evidenceOf = (id: FindingId) => Object.fromEntries(valuesOf(id).map((name) => [name, known[name] ?? account]))
  const say = (id: FindingId, evidence: Record<string, string>) =>
    sayOf(findingFrom(id, { to: account, function: 'f()', ...evidence }))

  test.each(ids)('%s has no missing value, whichever value is missing, empty or the zero address', (id) => {
    const whole = evidenceOf(id)
    expect(say(id, whole)).not.toMatch(hole)
    expect(say(id, {})).not.toMatch(hole)
    for (const name of Object.keys(whole)) {
      const { [name]: _missing, ...rest } = whole
      for (const evidence of [rest, { ...whole, [name]: '' }]) expect(say(id, evidence), name).not.toMatch(hole)
      if (!accountKinds.has(evidenceItem(findingFrom(id, whole), name)?.kind)) continue
      const said = say(id, { ...whole, [name]: zeroAddress })
      // Without a sentence for it, the evidence is listed as it is.
      if (!saysNobody.has(id) && !said.includes(' · ')) expect(said, name).not.toMatch(nobody)
    }
  })

  const to = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
  const cases: [what: string, id: FindingId, evidence: Record<string, string>, said: string][] = [
    [
      'a role that is given',
      'ROLE-CHANGE',
      { holder: account, role: '0x01', case: 'gains' },
      `${account} gets the role 0x01 on ${to}.`,
    ],
    [
      'a role that is taken',
      'ROLE-CHANGE',
      { holder: account, role: '0x01', case: 'loses' },
      `${account} loses the role 0x01 on ${to}.`,
    ],
    [
      'votes that are delegated',
      'ROLE-CHANGE',
      { account, function: 'delegate(address)', case: 'votes' },
      `${account} can then cast votes at ${to}: delegate(address).`,
    ],
    [
      'votes that go to nobody',
      'ROLE-CHANGE',
      { account: zeroAddress, function: 'delegate(address)', case: 'votes' },
      `This changes rights or rules on the contract ${to}: delegate(address).`,
    ],
    [
      'a delay',
      'ROLE-CHANGE',
      { account: to, function: 'updateDelay(uint256)', delay: '60', case: 'delay' },
      `The waiting time or time limit of ${to} becomes 60 seconds: updateDelay(uint256).`,
    ],
    [
      'a case that nobody knows',
      'ROLE-CHANGE',
      { function: 'x()', case: 'new' },
      `This changes rights or rules on the contract ${to}: x().`,
    ],
    [
      'a module guard that is set',
      'MODGUARD-CHANGE',
      { safe: safeAddress, after: account },
      `The module guard of This Safe ${safeAddress} becomes ${account}. It then decides what modules may do.`,
    ],
    [
      'a module guard that is removed',
      'MODGUARD-CHANGE',
      { safe: safeAddress, after: zeroAddress },
      `This Safe ${safeAddress} loses its module guard, so nothing limits its modules.`,
    ],
    [
      'a module guard that only a run shows',
      'MODGUARD-CHANGE',
      { safe: safeAddress },
      `The module guard of This Safe ${safeAddress} is removed or replaced.`,
    ],
    ['an owner that a contract loses', 'RENOUNCE', {}, `The contract ${to} permanently loses its owner.`],
    [
      'a role that is given up',
      'RENOUNCE',
      { function: 'renounceRole(bytes32,address)', case: 'role' },
      `A role on the contract ${to} is given up: renounceRole(bytes32,address). Only an account that may grant it can give it back.`,
    ],
    [
      'tokens that cease to be',
      'TOKEN-MOVE',
      { amount: '5', token: account, sender: safeAddress, function: 'burn(uint256)' },
      `burn(uint256) destroys 5 base units of token ${account} held by This Safe ${safeAddress}.`,
    ],
    [
      'tokens of which only the recipient is named',
      'TOKEN-MOVE',
      { recipient: account, function: 'mint(address,uint256)' },
      `${account} gets tokens by mint(address,uint256) at ${to}. The call’s arguments say how many.`,
    ],
    [
      'an allowance in coin',
      'SPENDING-RIGHT',
      { spender: account, amount: '1500000000000000000', token: 'native' },
      `${account} may take 1.5 ETH from this Safe. Token: ETH.`,
    ],
    [
      'assets of which some are only allowed',
      'VALUE-DRAIN',
      { asset: 'native', needed: '5', held: '5', case: 'allowed' },
      'or lets others take it',
    ],
    [
      'a message that names who may take',
      'PERMIT-SIGN',
      { primaryType: 'Permit', spender: account, token: account, amount: '5' },
      'The message has no expiry that can be read here.',
    ],
    [
      'a message that names who gets',
      'PERMIT-SIGN',
      { primaryType: 'Order', receiver: safeAddress, token: account, amount: '5' },
      `Receiver in the message: This Safe ${safeAddress}.`,
    ],
    [
      'a message that anybody may use',
      'PERMIT-SIGN',
      { primaryType: 'Order', spender: zeroAddress },
      'anyone may take assets',
    ],
    [
      'a message that only resembles a permit',
      'PERMIT-SIGN',
      { primaryType: 'Permit', spender: account, token: account, amount: '5', case: 'resembles' },
      'but not its exact type',
    ],
    [
      'a message that takes an allowance back',
      'PERMIT-REVOKE',
      { primaryType: 'Permit', spender: account, token: account },
      `revokes the allowance of ${account}`,
    ],
    [
      'a message that cancels an authorisation',
      'PERMIT-REVOKE',
      { primaryType: 'CancelAuthorization', token: account, nonce: zeroHash, case: 'cancellation' },
      `with the nonce ${zeroHash}`,
    ],
    [
      'an allowance of an account that runs the code of a contract',
      'APPROVE-EOA',
      { spender: account, delegatesTo: to, case: 'delegated' },
      `${account} runs the code of ${to}`,
    ],
    ['a message that names nobody', 'PERMIT-SIGN', { primaryType: 'Delegate' }, 'The message says who, and how far.'],
    [
      'an owner of a Safe that nobody read',
      'OWNER-QUORUM-UNKNOWN',
      { safe: account, newOwners: to, case: 'unread' },
      'That Safe could not be read',
    ],
    [
      'an allowance of a timelock',
      'APPROVE-UNLIMITED',
      { spender: account, token: account, actor: to },
      `In the name of ${to}, which “this Safe” stands for here: ${account} may take all`,
    ],
    ['another Safe’s threshold', 'THRESHOLD-DOWN', { safe: account, after: '1' }, `In the Safe ${account}: `],
    ['this Safe’s threshold', 'THRESHOLD-DOWN', { safe: safeAddress, after: '1' }, 'The threshold becomes 1'],
  ]
  test.each(cases)('says %s', (_, id, evidence, said) => {
    expect(sayOf(findingFrom(id, { to, ...evidence }))).toContain(said)
  })
})

describe('the number of subjects', () => {
  const of = (id: FindingId, evidence: Record<string, string>, count = 1): Finding[] =>
    Array.from({ length: count }, () => findingFrom(id, evidence))

  test.each([
    ['forty accounts of which twenty are named', of('ADDR-NEW', { newAddresses: '40' }, 20), 40],
    ['twenty accounts', of('ADDR-NEW', { newAddresses: '20' }, 20), 20],
    ['one account', of('ADDR-NEW', { newAddresses: '1' }), 1],
    ['thirty proposals at one nonce', of('NONCE-CONFLICT', { competing: '30' }, 20), 30],
    ['a hundred slots', of('CRIT-SLOT-UNEXPLAINED', { slots: '100' }, 20), 100],
    ['findings that say nothing of others', of('CALL-NO-CODE', {}, 7), 7],
    ['a total below what is named', of('ADDR-NEW', { newAddresses: '2' }, 3), 3],
    ['signed transactions', of('SIG-ENOUGH-AFTER', { competing: '25' }, 20), 25],
  ])('is that of %s, named or not', (_, findings, count) => {
    expect(countInAll(findings)).toBe(count)
  })

  test('is shown with the number listed if they are acknowledged as one list', () => {
    const [first, ...more] = of(
      'NONCE-CONFLICT',
      { competing: '30', otherSafeTxHash: zeroHash, nonce: '5', confirmations: '2' },
      20,
    )
    if (first === undefined) throw new Error('There are twenty.')
    const said = demandWords(
      { key: zeroHash, finding: first, places: 20, things: [first, ...more], way: 'tick' },
      names,
    )
    expect(said).toContain('30 in all, 20 of them listed below')
  })
})
