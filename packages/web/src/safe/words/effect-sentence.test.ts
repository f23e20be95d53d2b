import { checkIds, effectKeys, type Finding, findingCatalogue } from '@countersign/review'
import { callIssueKinds } from '@countersign/safe/calls'
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { checkText } from '../../review/view/review-checks.tsx'
import findings from '../../text/en/findings.json'
import proposal from '../../text/en/proposal.json'
import review from '../../text/en/review.json'
import details from '../../text/en/review-details.json'
import transactions from '../../text/en/transactions.json'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import type { Names } from '../names/names.ts'
import { effectSentence, movesOf, sentenceText } from './effect-sentence.ts'
import { findingFrom } from './finding-scene.ts'
import { evidenceLines, findingWords } from './finding-words.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const names: Names = {
  safeAddress,
  owners: [],
  account: null,
  team: [],
  chain: {
    chainId: 31337,
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    publicRpcUrl: null,
    nameRegistry: null,
    bringFrom: null,
    listRevision: null,
    explorerUrl: null,
    isDevnet: true,
    index: 'whole-chain',
    status: 'ok',
    proof: { sources: 1, wallet: false, maxBlocksBehind: 25 },
    tokens: [{ address: token, symbol: 'TUSD', name: 'Test Dollar', decimals: 6 }],
  },
}
const say = (key: (typeof effectKeys)[number], values: Record<string, string>) =>
  sentenceText(effectSentence({ key, values, path: [] }, names), formatAmount)

describe('effectSentence', () => {
  it('says an allowance without limit as a word, and never a transfer', () => {
    const endless = String(2n ** 256n - 1n)
    expect(say('erc20-approve', { amount: endless, spender: other, target: token })).toBe(
      `Allow ${other} to spend unlimited TUSD (token ${token})`,
    )
    expect(say('erc20-transfer', { amount: endless, to: other, target: token })).toContain('115,792,089')
  })

  it('says amounts in the unit of a listed token', () => {
    expect(say('erc20-transfer', { amount: '1250000000', to: other, target: token })).toBe(
      `Send 1,250 TUSD (token ${token}) to ${other}`,
    )
  })

  it('says base units when the token is not listed', () => {
    expect(say('erc20-transfer', { amount: '1250000000', to: other, target: other })).toContain(
      '1,250,000,000 base units',
    )
  })

  it('says the coin of the chain', () => {
    expect(say('native-transfer', { value: '1500000000000000000', to: other })).toBe(`Send 1.5 ETH to ${other}`)
  })

  it('says who acts when it is not the Safe', () => {
    expect(say('native-transfer', { value: '1', to: other, caller: token })).toMatch(new RegExp(`^Through ${token}: `))
  })

  it('shows hostile values as code points, and never a sentence with a missing value', () => {
    expect(say('contract-call', { function: 'pay\u202E()', target: other })).toContain('pay[U+202E]()')
    expect(say('owner-add', { target: safeAddress })).toBe('Unknown effect: owner-add. Read the call data.')
    expect(say('handler-change', { target: safeAddress, handler: zeroAddress })).toBe(
      `Remove the fallback handler of the Safe ${safeAddress}`,
    )
  })

  it('never falls silent for a key that it does not know', () => {
    // @ts-expect-error a newer core may have more
    expect(say('teleport', {})).toContain('teleport')
  })
})

describe('movesOf', () => {
  it('adds up what leaves, by asset', () => {
    const moves = movesOf(
      [
        { key: 'erc20-transfer', values: { amount: '5', to: other, target: token }, path: [0] },
        { key: 'erc20-transfer', values: { amount: '7', to: other, target: token.toLowerCase() }, path: [1] },
        { key: 'native-transfer', values: { value: '3', to: other, target: other }, path: [2] },
        { key: 'native-transfer', values: { value: '9', to: other, target: other, caller: other }, path: [3, 0] },
        { key: 'erc20-approve', values: { amount: '4', spender: other, target: token }, path: [4] },
        { key: 'erc20-transfer-from', values: { amount: '1', from: other, to: safeAddress, target: token }, path: [5] },
      ],
      safeAddress,
    )
    expect(moves).toEqual([
      { kind: 'out', token, value: 12n },
      { kind: 'out', token: null, value: 3n },
      { kind: 'allowance', token, spender: other, value: 4n },
    ])
  })
})

const en = { ...transactions, ...review, ...details, ...proposal, ...findings }

describe('the catalogue', () => {
  it('has a sentence for every effect and check of the core', () => {
    for (const key of effectKeys) expect(en, key).toHaveProperty([`effect.${key}`])
    for (const id of Object.keys(checkIds)) expect(en, id).toHaveProperty([`check.${id}`])
  })

  it('has a sentence for every issue with the bytes of a call, and for nothing else', () => {
    const written = Object.keys(en).filter((key) => key.startsWith('call.issue.'))
    expect(written.toSorted()).toEqual(
      Object.keys(callIssueKinds)
        .map((id) => `call.issue.${id}`)
        .toSorted(),
    )
  })

  it('has title, meaning and advice for every finding of the core, and for nothing else', () => {
    const expected = [...Object.keys(findingCatalogue), 'unknown'].flatMap((id) => [
      `finding.${id}`,
      `finding.${id}.meaning`,
      `finding.${id}.action`,
    ])
    const written = Object.keys(en).filter((key) => key.startsWith('finding.'))
    expect(written.toSorted()).toEqual(expected.toSorted())
  })

  it('has a label for the evidence of the unit', () => {
    for (const name of ['needed', 'held', 'missing', 'asset', 'field', 'slot', 'range', 'gsCode']) {
      expect(en, name).toHaveProperty([`evidence.${name}`])
    }
  })

  it('names an unknown id', () => {
    expect(findingWords('NEW-THING').title).toContain('NEW-THING')
    expect(checkText('new-check')).toContain('new-check')
  })

  it('does not lead with an id', () => {
    for (const id of Object.keys(findingCatalogue)) expect(findingWords(id).title).not.toContain(id)
  })
})

describe('evidenceLines', () => {
  const line = (evidence: Record<string, string>, name: string) =>
    evidenceLines({ ...findingFrom('BALANCE-EXCEEDED', evidence), where: { field: 'value' } }, names).find(
      (line) => line.name === name,
    )?.value

  it('writes amounts in the unit of the chain or of a listed token', () => {
    const native = { asset: 'native', needed: '999999999000000000000000000', held: '9250000000000000000' }
    expect(line(native, 'needed')).toBe('999,999,999 ETH')
    expect(line(native, 'held')).toBe('9.25 ETH')
    expect(line(native, 'asset')).toBe('ETH')
    expect(line({ asset: token, needed: '1250000' }, 'needed')).toBe('1.25 TUSD')
    expect(line({ asset: other, needed: '1250000' }, 'needed')).toBe('1,250,000 base units')
  })

  it('says where it stands and what a code means', () => {
    expect(line({}, 'field')).toBe('value')
    const refused = findingFrom('SETTINGS-REVERT', { gsCode: 'GS201' })
    const lines = evidenceLines({ ...refused, evidence: { ...refused.evidence, call: [1, 0] } } as Finding, names)
    expect(lines.find(({ name }) => name === 'call')?.value).toBe('2.1')
    expect(lines.find(({ name }) => name === 'gsCode')?.value).toMatch(/^GS201: /)
  })
})
