import { type Demand, type FindingId, findingCatalogue } from '@countersign/review'
import { zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Names } from '../../safe/names/names.ts'
import { textPieces } from '../../safe/text.ts'
import { findingFrom } from '../../safe/words/finding-scene.ts'
import { demandWords } from './demand-sentence.ts'

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
const demand = (id: FindingId, evidence: Record<string, string>, places = 1): Demand => ({
  key: zeroHash,
  finding: findingFrom(id, evidence),
  places,
  things: [findingFrom(id, evidence)],
  way: 'tick',
})
const say = (id: FindingId, evidence: Record<string, string>, places?: number) =>
  demandWords(demand(id, evidence, places), names)

describe('demandWords', () => {
  test('default: names the account and the token, and says unlimited as a word', () => {
    const evidence = { spender: other, token, amount: String(2n ** 256n - 1n), to: token }
    expect(say('APPROVE-UNLIMITED', evidence)).toBe(
      `${other} may take all TUSD of this Safe, now and later, unlimited.`,
    )
    expect(say('SPENDING-RIGHT', evidence)).toBe(`${other} may take an unlimited amount from this Safe. Token: TUSD.`)
  })

  test('default: writes amounts in the unit of a listed token, of another in its base units', () => {
    expect(say('SPENDING-RIGHT', { spender: other, token, amount: '1250000000' })).toContain('1,250 TUSD from')
    expect(say('SPENDING-RIGHT', { spender: other, token: other, amount: '5' })).toContain(
      `5 base units from this Safe. Token: ${other}`,
    )
    expect(say('VALUE-DRAIN', { asset: 'native', needed: '4900000000000000000', held: '5000000000000000000' })).toBe(
      'This sends 4.9 ETH, and the Safe holds 5 ETH: almost everything.',
    )
  })

  test.each([
    ['1800000000', /15 January 2027|15 Jan 2027/],
    [String(2n ** 48n - 1n), /Valid until: no time limit\.$/],
    [String(2n ** 256n - 1n), /Valid until: no time limit\.$/],
    // Not Unix seconds: zero, and milliseconds.
    ['0', /Valid until: 0\.$/],
    ['1800000000000', /Valid until: 1800000000000\.$/],
    ['tomorrow', /Valid until: tomorrow\.$/],
  ])('behavior: says until when a permit is valid, if it is stated in Unix seconds: %s', (deadline, said) => {
    const permit = { primaryType: 'Permit', spender: other, token, amount: '5', deadline }
    expect(say('PERMIT-SIGN', permit)).toMatch(said)
  })

  test('behavior: says how often a batch has it, and what the evidence lacks', () => {
    expect(say('APPROVE-ALL-NFT', { operator: other, to: token }, 3)).toMatch(/\(3 times in this batch\)$/)
    expect(say('PERMIT-SIGN', {})).toMatch(/^This signature alone can let others take assets/)
  })

  test('behavior: of a list, it says how many there are and names the first', () => {
    const { finding, ...single } = demand('RECEIVER-OTHER', { receiver: other, to: token })
    const things = Array.from({ length: 400 }, () => finding)
    const [first = finding, ...more] = things
    const said = demandWords({ ...single, finding, places: 400, things: [first, ...more] }, names)
    expect(said).toContain('400 times')
    expect(said).toContain(`${other} gets the assets, not this Safe.`)
  })

  test('behavior: a refund in the coin of the chain is said in its unit', () => {
    const evidence = { refundReceiver: other, maximum: '50000000000000000', gasToken: zeroAddress }
    expect(say('GAS-REFUND', evidence)).toContain(`${other} is paid up to 0.05 ETH`)
  })

  test('behavior: a refund by a Safe of unknown version names no maximum', () => {
    const said = say('GAS-REFUND', { refundReceiver: other, gasToken: zeroAddress, case: 'unbounded' })
    expect(said).toContain(`${other} is paid for the execution. Countersign cannot calculate a maximum`)
  })

  test('behavior: a text of the message can neither hide nor reorder the sentence', () => {
    expect(say('TOKEN-HOMOGLYPH', { token: other, symbol: 'TU\u202eSD', listed: 'TUSD' })).not.toContain('\u202e')
  })

  test('behavior: a finding without a sentence of its own says its title and all that it names', () => {
    expect(say('NONCE-GAP', { nonce: '7' })).toContain('7')
  })

  test('behavior: whatever can be ticked or typed has a sentence of its own', () => {
    const without = Object.entries(findingCatalogue)
      .filter(([, entry]) => 'wayAfterRun' in entry || ('way' in entry && entry.way !== 'never'))
      .filter(([id]) => textPieces(`acknowledge.${id}`) === null)
      .map(([id]) => id)
    expect(without).toEqual([])
  })
})
