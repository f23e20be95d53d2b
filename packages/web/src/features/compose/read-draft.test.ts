import { erc20Abi, officialDeployment, type SafeState } from '@countersign/safe'
import { decodeMultiSend } from '@countersign/safe/calls'
import { writeTransactionBuilderFile } from '@countersign/safe/compose'
import { decodeFunctionData, getAddress, toHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { takeFile } from './builder-file.tsx'
import { type Draft, type EntryKind, emptyDraft, newEntry, type Typed } from './draft.ts'
import { writeDraftFile } from './draft-file.ts'
import { type DraftFacts, readDraft } from './read-draft.ts'

const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const recipient = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const [anna, bruno] = [1, 2].map((digit) => getAddress(`0x${String(digit).repeat(40)}`)) as [
  `0x${string}`,
  `0x${string}`,
]
const multiSend = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? zeroAddress
const singleton = officialDeployment('singleton', '1.4.1')
const allowanceModule = '0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134'

const safe: SafeState = {
  chainId: 1,
  address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  blockNumber: 9n,
  owners: [anna, bruno],
  threshold: 2,
  nonce: 3n,
  proxyCodeHash: '0x',
  isOfficialProxy: true,
  version: '1.4.1',
  reportedVersion: '1.4.1',
  singleton: singleton?.address ?? zeroAddress,
  singletonCodeHash: singleton?.codeHash ?? '0x',
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
  balance: 10n ** 18n,
}
const facts: DraftFacts = {
  safe,
  currency: { symbol: 'ETH', decimals: 18 },
  nextNonce: 5n,
  allowed: [],
  multiSend,
  fits: new Map(),
  registered: new Map(),
  tokens: new Map([[token.toLowerCase(), { address: token, symbol: 'TUSD', decimals: 6 }]]),
}

function draftOf(...entries: [EntryKind, Partial<Typed>][]): Draft {
  return { ...emptyDraft, entries: entries.map(([kind, typed], index) => newEntry(index + 1, kind, typed)) }
}

/** The faults of the only entry of a draft. */
function faultsOf(kind: EntryKind, typed: Partial<Typed>, given: Partial<DraftFacts> = {}) {
  const read = readDraft(draftOf([kind, typed]), { ...facts, ...given })
  expect(read.safeTx).toBeNull()
  return read.parts[0]?.errors ?? {}
}

describe('readDraft', () => {
  it('is not whole while another service is asked which nonces are taken there, unless one is typed', () => {
    const draft = draftOf(['transfer', { asset: 'native', recipient, amount: '1' }])
    expect(readDraft(draft, facts).safeTx?.nonce).toBe(5n)
    const asking = { ...facts, isNonceAsked: true }
    expect(readDraft(draft, asking)).toMatchObject({ safeTx: null, errors: {}, isAwaited: true })
    expect(readDraft({ ...draft, nonce: '7' }, asking)).toMatchObject({ safeTx: { nonce: 7n }, isAwaited: false })
  })

  it('awaits the library of a batch; with a fault it awaits nothing', () => {
    const pay = (amount: string): [EntryKind, Partial<Typed>] => ['transfer', { asset: 'native', recipient, amount }]
    const asking = { ...facts, multiSend: undefined }
    expect(readDraft(draftOf(pay('1')), asking).isAwaited).toBe(false)
    expect(readDraft(draftOf(pay('1'), pay('2')), asking)).toMatchObject({ safeTx: null, isAwaited: true })
    expect(readDraft(draftOf(pay('1'), pay('x')), asking)).toMatchObject({ safeTx: null, isAwaited: false })
  })

  it('pays whom a name means, and nobody while that is not known', () => {
    const typed = { recipient: ' Supplier.eth ', amount: '1' }
    const registered = new Map([['supplier.eth', { kind: 'found', address: recipient, primaryName: null } as const]])
    expect(readDraft(draftOf(['transfer', typed]), { ...facts, registered }).safeTx?.to).toBe(recipient)
    expect(faultsOf('transfer', typed)).toEqual({ recipient: 'The node is being asked whom Supplier.eth means.' })
    for (const kind of ['malformed', 'no-registry', 'unregistered', 'no-address', 'contract', 'unread'] as const)
      expect(faultsOf('transfer', typed, { registered: new Map([['supplier.eth', { kind }]]) }).recipient).toContain(
        'Supplier.eth',
      )
    // A place in the Safe takes an address alone: its contract is looked at before.
    expect(faultsOf('enable-module', { module: 'supplier.eth' }, { registered })).toHaveProperty('module')
  })

  it('builds a native transfer at the next free nonce', () => {
    const { safeTx, origin } = readDraft(draftOf(['transfer', { recipient, amount: '0.5' }]), facts)
    expect(origin).toBeNull()
    expect(safeTx).toMatchObject({
      to: recipient,
      value: 500_000_000_000_000_000n,
      data: '0x',
      operation: 0,
      nonce: 5n,
    })
  })

  it('builds an ERC-20 transfer at the nonce that was typed', () => {
    const draft = draftOf(['transfer', { asset: token, recipient, amount: '1250' }])
    const { safeTx, origin } = readDraft({ ...draft, nonce: '3', origin: ' rent ' }, facts)
    expect(safeTx).toMatchObject({ to: token, value: 0n, nonce: 3n })
    expect(origin).toBe('rent')
    expect(decodeFunctionData({ abi: erc20Abi, data: safeTx?.data ?? '0x' }).args).toEqual([recipient, 1_250_000_000n])
  })

  it('makes one batch of several entries, in their order', () => {
    const draft = draftOf(
      ['transfer', { recipient, amount: '1' }],
      ['call', { contract: token, data: '0xAABBCCDD' }],
      ['add-owner', { newOwner: recipient, threshold: '3' }],
      ['remove-owner', { owner: anna, threshold: '2' }],
    )
    const { safeTx, after } = readDraft(draft, facts)
    expect(safeTx).toMatchObject({ to: multiSend, operation: 1, value: 0n })
    const calls = decodeMultiSend(safeTx?.data ?? '0x')
    expect(calls.map(({ to }) => to)).toEqual([recipient, token, safe.address, safe.address])
    expect(calls[1]).toMatchObject({ data: '0xaabbccdd', value: 0n })
    expect(after).toMatchObject({ owners: [recipient, bruno], threshold: 2 })
  })

  it('leaves the threshold as the entries before made it, where nothing else is chosen', () => {
    const draft = draftOf(['change-threshold', { threshold: '1' }], ['add-owner', { newOwner: recipient }])
    const { safeTx, after, parts } = readDraft(draft, facts)
    expect(parts[1]).toMatchObject({ before: { threshold: 1 }, intent: { threshold: 1 } })
    expect(after).toMatchObject({ owners: [recipient, anna, bruno], threshold: 1 })
    expect(decodeMultiSend(safeTx?.data ?? '0x')[1]?.data.slice(-64)).toBe(toHex(1, { size: 32 }).slice(2))
  })

  it('encodes the call of a function from its ABI and typed values', () => {
    const abi = 'transfer(address to, uint256 amount)'
    const typed = { contract: token, abi, args: JSON.stringify([recipient, '1250000000']) }
    const { safeTx } = readDraft(draftOf(['function', typed]), facts)
    expect(safeTx).toMatchObject({ to: token, value: 0n })
    expect(decodeFunctionData({ abi: erc20Abi, data: safeTx?.data ?? '0x' }).args).toEqual([recipient, 1_250_000_000n])
    expect(Object.keys(faultsOf('function', { ...typed, abi: '' }))).toEqual(['abi'])
    expect(faultsOf('function', { ...typed, abi: 'nonsense' }).abi).toContain('nonsense')
    expect(faultsOf('function', { ...typed, args: '["0x12","-1"]' }).args).toContain('0x12')
    expect(faultsOf('function', { ...typed, args: `["${recipient}","-1"]` }).args).toContain('does not fit')
  })

  it('waits for the library, and says when there is none', () => {
    const draft = draftOf(['transfer', { recipient, amount: '1' }], ['transfer', { recipient, amount: '2' }])
    expect(readDraft(draft, { ...facts, multiSend: undefined })).toMatchObject({ safeTx: null, errors: {} })
    expect(readDraft(draft, { ...facts, multiSend: null }).errors.library).toContain('MultiSendCallOnly')
    const unread = readDraft(draft, { ...facts, multiSend: undefined, isLibraryUnread: true })
    expect(unread).toMatchObject({ isAwaited: false, safeTx: null })
    expect(unread.errors.library).toContain('could not be read')
  })

  it('names every field at fault at once', () => {
    const draft = draftOf(['transfer', { asset: 'other', tokenAddress: '0x12', amount: '1,5' }])
    const read = readDraft({ ...draft, nonce: '2', origin: 'x'.repeat(201) }, facts)
    expect(read.safeTx).toBeNull()
    expect(Object.keys(read.errors).toSorted()).toEqual(['nonce', 'origin'])
    expect(read.errors.nonce).toContain('3')
    expect(Object.keys(read.parts[0]?.errors ?? {}).toSorted()).toEqual(['amount', 'recipient', 'tokenAddress'])
  })

  it.each<[string, EntryKind, Partial<Typed>, keyof Typed, RegExp]>([
    [
      'an address with one wrong letter',
      'transfer',
      { recipient: recipient.replace('F7', 'f7'), amount: '1' },
      'recipient',
      /checksum/,
    ],
    ['an address of another chain', 'transfer', { recipient: `gor:${recipient}`, amount: '1' }, 'recipient', /gor:/],
    ['a name', 'transfer', { recipient: 'vitalik.eth', amount: '1' }, 'recipient', /vitalik/],
    [
      'letters that look alike',
      'transfer',
      { recipient: recipient.replace('0x9', '0х9'), amount: '1' },
      'recipient',
      /not an address/,
    ],
    ['the Safe', 'transfer', { recipient: safe.address, amount: '1' }, 'recipient', /Safe itself/],
    ['the zero address', 'transfer', { recipient: zeroAddress, amount: '1' }, 'recipient', /zero address/],
    ['the token itself', 'transfer', { asset: token, recipient: token, amount: '1' }, 'recipient', /token contract/],
    ['an amount in hex', 'transfer', { recipient, amount: '0x10' }, 'amount', /0x10/],
    ['an exponent', 'transfer', { recipient, amount: '1e18' }, 'amount', /1e18/],
    ['a minus', 'transfer', { recipient, amount: '-1' }, 'amount', /-1/],
    ['too many decimals', 'transfer', { asset: token, recipient, amount: '0.0000001' }, 'amount', /6/],
    ['more than any token', 'transfer', { recipient, amount: '9'.repeat(70) }, 'amount', /larger/],
    ['an item that is no number', 'item', { collection: token, recipient, tokenId: '#5' }, 'tokenId', /#5/],
    ['an item above 2^256', 'item', { collection: token, recipient, tokenId: '9'.repeat(78) }, 'tokenId', /larger/],
    ['points for an amount', 'call', { contract: token, data: '0xaabb', amount: '..' }, 'amount', /not a decimal/],
    ['half a byte', 'call', { contract: token, data: '0x123' }, 'data', /Not valid/],
    ['a call that does nothing', 'call', { contract: token }, 'data', /does nothing/],
    ['a threshold above the owners', 'change-threshold', { threshold: '3' }, 'threshold', /2 owners/],
    ['nobody to remove', 'remove-owner', { threshold: '1' }, 'owner', /Enter an address/],
    ['an owner twice', 'add-owner', { newOwner: anna, threshold: '2' }, 'newOwner', /owner already/],
    ['no guard to take away', 'set-guard', { place: 'none' }, 'place', /already/],
    ['the release that is there', 'upgrade', { version: '1.4.1', code: 'plain' }, 'version', /already/],
    [
      'a limit without the module',
      'set-limit',
      { module: allowanceModule, delegate: bruno, amount: '1' },
      'module',
      /not enabled/,
    ],
    [
      'a limit of another contract',
      'set-limit',
      { module: anna, delegate: bruno, amount: '1' },
      'module',
      /Allowance Module/,
    ],
  ])('refuses %s, at the field, with the remedy', (_, kind, typed, field, sentence) => {
    expect(faultsOf(kind, typed)).toEqual({ [field]: expect.stringMatching(sentence) })
  })

  it.each([
    ['no-contract', /not a contract/],
    ['other-contract', /does not answer/],
    [undefined, /being read/],
  ] as const)('refuses a handler that is none: %s', (fit, sentence) => {
    const fits = new Map([[`handler ${recipient}`, fit]])
    expect(faultsOf('set-handler', { handler: recipient }, { fits }).handler).toMatch(sentence)
  })

  it('lets a contract through that the node says nothing about: its review tells it', () => {
    for (const fit of ['fits', null] as const) {
      const fits = new Map([[`handler ${recipient}`, fit]])
      const { safeTx } = readDraft(draftOf(['set-handler', { handler: recipient }]), { ...facts, fits })
      expect(safeTx).toMatchObject({ to: safe.address, data: expect.stringMatching(/^0xf08a0323/) })
    }
  })
})

describe('every field', () => {
  const module = allowanceModule
  const limit = { module, delegate: recipient }
  const abi = 'transfer(address to, uint256 amount)'
  /** Entries that are right, with the fields that a person fills in. A draft of the team can hold anything in the others, too. */
  const right: [EntryKind, Partial<Typed>][] = [
    ['transfer', { recipient, amount: '1' }],
    ['transfer', { asset: 'other', tokenAddress: token, recipient, amount: '1' }],
    ['item', { collection: token, recipient, tokenId: '1' }],
    ['item', { standard: 'erc1155', collection: token, recipient, tokenId: '1', amount: '1' }],
    ['function', { contract: token, abi, args: JSON.stringify([recipient, '1']) }],
    ['call', { contract: token, data: '0xaabbccdd' }],
    ['add-owner', { newOwner: recipient }],
    ['swap-owner', { owner: anna, newOwner: recipient }],
    ['remove-owner', { owner: anna, threshold: '1' }],
    ['change-threshold', { threshold: '1' }],
    ['enable-module', { module: recipient }],
    ['disable-module', { module }],
    ['set-guard', { guard: recipient }],
    ['set-handler', { handler: recipient }],
    ['set-limit', { ...limit, amount: '1', resetMinutes: '1440' }],
    ['reset-limit', limit],
    ['delete-limit', limit],
  ]
  const wrong = [
    'nonsense',
    '-1',
    '1.5.2',
    '1e400',
    'NaN',
    'Infinity',
    'null',
    '0x',
    '0xzz',
    "=cmd|' /C calc'!A0",
    '<b>1</b>',
    '\u202e1',
    '\u0663',
    '\uff11',
    '\u0000',
    '9'.repeat(100),
    '9'.repeat(10_000),
    `0x${'f'.repeat(65)}`,
    '\ud800',
    `gor:${recipient}`,
    recipient.replace('F7', 'f7'),
    recipient.replace('0x9', '0\u04459'),
    `${recipient}00`,
    '[]',
    '{"length":2}',
    '[[[[]]]]',
    `["${recipient}"]`,
    '[1,2]',
    '["1","2","3"]',
  ]
  const given: DraftFacts = {
    ...facts,
    safe: { ...safe, modules: [module] },
    fits: new Map((['guard', 'handler', 'module'] as const).map((role) => [`${role} ${recipient}`, 'fits'])),
  }

  it.each(right)('is refused with nonsense, and nothing is built: %s', (kind, typed) => {
    const read = (change: Partial<Typed>) => readDraft(draftOf([kind, { ...typed, ...change }]), given)
    expect(read({}).safeTx).not.toBeNull()
    for (const field of Object.keys(typed) as (keyof Typed)[]) {
      if (field === 'asset' || field === 'standard') continue
      // Whole bytes are call data, whatever they mean.
      for (const value of field === 'data' ? wrong.filter((one) => !/^0x([0-9a-f]{2})+$/i.test(one)) : wrong) {
        const { safeTx, parts } = read({ [field]: value })
        expect({ field, value, safeTx }).toEqual({ field, value, safeTx: null })
        expect(Object.keys(parts[0]?.errors ?? {}).length, `${field} ${value}`).toBeGreaterThan(0)
      }
    }
  })

  it.each(right)(
    'that the form offers a choice for breaks nothing, whatever a draft of the team holds: %s',
    (kind, typed) => {
      for (const [field, was] of Object.entries(newEntry(1).typed))
        for (const value of [...wrong, '__proto__', 'constructor'])
          if (was !== value) readDraft(draftOf([kind, { ...typed, [field]: value }]), given)
    },
  )
})

describe('the values of a function', () => {
  const built = (abi: string, values: unknown) =>
    readDraft(draftOf(['function', { contract: token, abi, args: JSON.stringify(values) }]), facts)
  const dataOf = (abi: string, values: unknown) => built(abi, values).safeTx?.data.slice(10)
  const words = (...numbers: number[]) => numbers.map((number) => toHex(number, { size: 32 }).slice(2)).join('')

  it('are those that the fields show, whatever a draft of the team holds', () => {
    // The field of a list shows none of its text, and that of a truth value the first choice.
    expect(dataOf('f(uint256[] all)', ['[5]'])).toBe(words(32, 0))
    expect(built('f((uint256 a) one)', ['{"a":5}'])).toMatchObject({ safeTx: null })
    expect(built('f(bool isOn)', [' true '])).toMatchObject({ safeTx: null })
    expect(dataOf('f(bool isOn)', ['true'])).toBe(words(1))
    expect(dataOf('f(bool isOn)', [])).toBe(words(0))
    expect(dataOf('f(uint256[] all)', '['.repeat(100_000))).toBe(words(32, 0))
  })

  it('are refused where they are more than a form shows', () => {
    for (const abi of [
      'f(string[4096][4096][4096] all)',
      'f(uint256[1001] all)',
      'f((uint8[600] a, uint8[600] b) all)',
    ])
      expect(built(abi, [])).toMatchObject({
        parts: [{ errors: { function: expect.stringContaining('more values') } }],
      })
    expect(built('f(uint256[1000] all)', [])).toMatchObject({ parts: [{ errors: { args: expect.anything() } }] })
  })
})

describe('takeFile', () => {
  const calls = [
    { to: recipient, value: 10n ** 17n, data: '0x' as const },
    { to: token, value: 0n, data: '0xaabbccdd' as const },
  ] as const
  const file = (chainId: number) =>
    writeTransactionBuilderFile({ chainId, safeAddress: safe.address, name: '', createdAt: 1, calls })

  it('adds the calls as entries, which become the same calls again', () => {
    const taken = takeFile(file(1), emptyDraft, facts)
    if (!('draft' in taken)) throw new Error(taken.error)
    expect(taken).toMatchObject({ count: 2, isChecksumRight: true })
    const read = readDraft(taken.draft, facts)
    expect(read.parts.flatMap((part) => part.calls)).toEqual(calls.map((one) => ({ ...one, operation: 0 })))
  })

  it('takes a draft that was saved, as it was typed: also what runs as the Safe, which a file of calls cannot hold', () => {
    const typed = draftOf(['upgrade', { version: '1.5.0', code: 'plain' }])
    const saved = { ...typed, nonce: '9', origin: 'Move on', key: null }
    const taken = takeFile(writeDraftFile(1, saved), emptyDraft, facts)
    if (!('draft' in taken)) throw new Error(taken.error)
    expect(taken).toMatchObject({ count: 1, isChecksumRight: null, draft: { nonce: null, origin: 'Move on' } })
    expect(readDraft(taken.draft, facts).safeTx).toEqual(readDraft({ ...typed, nonce: null }, facts).safeTx)
    const payment = draftOf(['transfer', { recipient, amount: '1' }])
    const behind = takeFile(writeDraftFile(1, payment), payment, facts)
    if (!('draft' in behind)) throw new Error(behind.error)
    expect(behind.draft.entries.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'transfer'],
      [2, 'transfer'],
    ])
    expect(takeFile(writeDraftFile(5, payment), emptyDraft, facts)).toEqual({
      error: expect.stringContaining('chain 5'),
    })
    const broken = writeDraftFile(1, payment).replace('"transfer"', '"steal"')
    expect(takeFile(broken, emptyDraft, facts)).toHaveProperty('error')
  })

  it('takes no file of another chain, and nothing that is none', () => {
    expect(takeFile(file(5), emptyDraft, facts)).toEqual({ error: expect.stringContaining('chain 5') })
    expect(takeFile('nonsense', emptyDraft, facts)).toEqual({ error: expect.stringContaining('nonsense') })
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const own = `{"countersign":"draft","chainId":"1","content":${deep}}`
    for (const text of [own, `{"transactions":[{"to":"${recipient}"}],"meta":{"checksum":"0x","x":${deep}}}`])
      expect(takeFile(text, emptyDraft, facts)).toEqual({ error: expect.stringContaining('not the JSON') })
  })
})

describe('a function that takes no coin', () => {
  const entry = (stateMutability?: string) => ({
    type: 'function',
    name: 'poke',
    inputs: [],
    ...(stateMutability && { stateMutability }),
  })
  const typed = { contract: recipient, amount: '1' }

  it('is refused a value by its ABI, overloads of other length aside', () => {
    const abi = JSON.stringify([
      entry('nonpayable'),
      { ...entry('payable'), inputs: [{ name: 'id', type: 'uint256' }] },
    ])
    const chosen = { ...typed, abi, function: 'poke()' }
    expect(faultsOf('function', chosen)).toEqual({ amount: expect.stringContaining('takes no coin') })
    expect(readDraft(draftOf(['function', { ...chosen, amount: '' }]), facts).safeTx).not.toBeNull()
  })

  it.each([
    ['payable', JSON.stringify([entry('payable')])],
    ['silent', JSON.stringify([entry()])],
    ['a signature', 'function poke()'],
  ])('is not what an ABI says that is %s', (_, abi) => {
    expect(readDraft(draftOf(['function', { ...typed, abi }]), facts).safeTx).toMatchObject({ value: 10n ** 18n })
  })
})
