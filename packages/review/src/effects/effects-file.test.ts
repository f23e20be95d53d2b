import { CountersignError } from '@countersign/safe'
import { type Address, type Hex, pad, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../scripts/testing/growth.mjs'
import { effectParts } from './declared-effects.ts'
import { type EffectsFilePlace, MAX_EFFECTS_FILE, writeEffectsJson } from './effects-file.ts'
import { writeEffectsMarkdown } from './effects-markdown.ts'
import { parseEffectsFile } from './files.ts'

const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const proxy: Address = '0x4444444444444444444444444444444444444444'
const place: EffectsFilePlace = {
  chainId: 1,
  safeAddress,
  safeTxHash: pad('0xaa'),
  domainHash: pad('0xbb'),
  messageHash: pad('0xcc'),
}
const slots = [
  { account: safeAddress, slot: pad('0x05'), before: pad('0x68'), after: pad('0x69') },
  { account: proxy, slot: pad('0x33'), before: pad(safeAddress), after: pad(proxy) },
]
const effects = {
  covers: [...effectParts],
  assets: [
    { account: safeAddress, token: zeroAddress, tokenId: null, isOut: true, amount: 5n },
    { account: proxy, token: proxy, tokenId: 7n, isOut: false, amount: 1n },
  ],
  approvals: [{ owner: safeAddress, token: proxy, spender: proxy, tokenId: null, amount: 2n ** 256n - 1n }],
  slots,
}
/** One of the slots may differ. */
const open = {
  ...effects,
  slots: slots.map((slot, at) => (at === 1 ? { ...slot, mayDiffer: true as const } : slot)),
}
const ofSlots = { covers: ['slots'], assets: [], approvals: [], slots }
const rpcUrl = 'https://countersign.example/api/chains/1/rpc'
const write = (change: object = {}) => writeEffectsJson(place, { ...effects, ...change }, { balance: 9n, rpcUrl })

function reasonOf(text: string, of: EffectsFilePlace = place): unknown {
  try {
    parseEffectsFile(text, of)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'EFFECTS_FILE_INVALID') return error.data.reason
    throw error
  }
  return 'read'
}

/** Another file, with something else at a path. */
function changed(text: string, path: string, value: unknown): string {
  const file = JSON.parse(text)
  const names = path.split('.')
  const last = names.pop() ?? ''
  names.reduce((at, name) => at[name], file)[last] = value
  return JSON.stringify(file)
}

/** As the teams of the Superchain write it, in its two shapes. */
const rawSlots = `# Validation

## Expected Domain and Message Hashes

> [!CAUTION]
>
> ### Some other Safe: \`${proxy}\`
>
> - Domain Hash:  \`${pad('0x01')}\`
> - Message Hash: \`${pad('0xcc')}\`
>
> ### The Safe (\`${safeAddress}\`)
>
> - Domain Hash: \`${place.domainHash}\`
> - Message Hash: \`${place.messageHash}\`

# State Validations

## State Overrides

### The Safe (\`${safeAddress}\`)

- **Raw Slot**: \`${pad('0x04')}\` <br/>
  **Override**: \`${pad('0x01')}\` <br/>
  **Meaning**: The threshold, for the rehearsal.

## Task State Changes

### The Safe (\`${safeAddress}\`)

0. **Raw Slot**: \`${pad('0x05')}\` <br/>
   **Raw Old Value**: \`${pad('0x68')}\` <br/>
   **Raw New Value**: \`${pad('0x69')}\` <br/>
   **Value Type**: uint256 <br/>
   **Decoded Old Value**: \`104\` <br/>
   **Decoded New Value**: \`105\` <br/>
   **Meaning**: The nonce goes up. <br/>

### A proxy (\`${proxy}\`)

1. **Raw Slot**: \`${pad('0x33')}\` <br/>
   **Raw Old Value**: \`${pad(safeAddress)}\` <br/>
   **Raw New Value**: \`${pad(proxy)}\` <br/>

### Your own account

- Nonce increment
`
const keys = `## Expected Domain and Message Hashes
> - Domain Hash: \`${place.domainHash}\`
> - Message Hash: \`${place.messageHash}\`
### Task State Changes
### \`${safeAddress}\` (The Safe) - Chain ID: 10

- **Key:**          \`${pad('0x05')}\`
  - **Decoded Kind:** \`uint256\`
  - **Before:** \`104\`
  - **After:** \`105\`
  - **Summary:** nonce

### \`${proxy}\` (A proxy) - Chain ID: 10

- **Key:**          \`${pad('0x33')}\`
  - **Decoded Kind:** \`address\`
  - **Before:** \`${safeAddress}\`
  - **After:** \`${proxy}\`
`

const printed = `${keys.slice(0, keys.indexOf('### `'))}<pre>
  <code>
  ----- DecodedStateDiff[0] -----
    Who:               <a href="https://example.org/${'ab'.repeat(20)}/x#L40">${safeAddress}</a>
    Contract:          The Safe
    Raw Slot:          ${pad('0x05')}
    Raw Old Value:     ${pad('0x68')}
    Raw New Value:     ${pad('0x69')}
    Decoded Old Value: <a href="https://example.org">104</a>
  ----- DecodedStateDiff[1] -----
    Who:               ${proxy}
    Raw Slot:          ${pad('0x33')}
    Raw Old Value:     ${pad(safeAddress)}
    Raw New Value:     ${pad(proxy)}
`

describe('parseEffectsFile', () => {
  it('reads back what was written as JSON, with its signature', () => {
    expect(parseEffectsFile(write(), place)).toEqual({ effects, declared: null })
    const author = proxy
    const signature: Hex = pad('0x01', { size: 65 })
    const declared = { ...effects, version: 1, author, signature }
    expect(parseEffectsFile(write({ author, signature }), place)).toEqual({ effects, declared })
  })

  it('reads the slots of a file in the form of Base alone, older names too', () => {
    const { countersign: _, ...base } = JSON.parse(write())
    expect(base.balanceChanges).toMatchObject([{ before: pad('0x09'), after: pad('0x04') }])
    expect(parseEffectsFile(JSON.stringify(base), place).effects).toEqual(ofSlots)
    const { domainHash, messageHash } = place
    const older = {
      expected_domain_and_message_hashes: { address: safeAddress, domain_hash: domainHash, message_hash: messageHash },
      state_overrides: [],
      state_changes: base.stateChanges,
    }
    expect(parseEffectsFile(JSON.stringify(older), place).effects).toEqual(ofSlots)
  })

  it('reads and writes which slots may differ, in each form', () => {
    const { countersign: _, ...base } = JSON.parse(write(open))
    expect(base.stateChanges[1].changes[0].allowDifference).toBe(true)
    for (const text of [write(open), JSON.stringify(base), writeEffectsMarkdown(place, open)])
      expect(parseEffectsFile(text, place).effects.slots).toEqual(open.slots)
    const older = JSON.stringify(base).replaceAll('allowDifference', 'allow_difference')
    expect(parseEffectsFile(older, place).effects.slots).toEqual(open.slots)
    expect(reasonOf(changed(JSON.stringify(base), 'stateChanges.1.changes.0.allowDifference', 'yes'))).toBe('field')
  })

  it.each([
    ['raw slots', rawSlots],
    ['keys', keys],
    ['Windows line ends', rawSlots.replaceAll('\n', '\r\n')],
    ['as a simulation prints it', printed],
    ['our own', writeEffectsMarkdown(place, effects)],
    ['values that are links', keys.replace(/`(0x2{40})`$/m, '[`$1`](https://example.org/a)')],
    [
      'a balance, which has no slot',
      keys.replace('### `0x4', '1. **Balance**: <br/>\n   **Before**: `5`\n   **After**: `1.0`\n\n### `0x4'),
    ],
    ['slots under state diffs', keys.replace('Task State Changes', 'State Diffs')],
  ])('reads Markdown: %s', (_, text) => {
    expect(parseEffectsFile(text, place).effects).toEqual(ofSlots)
  })

  it.each([
    ['ours', changed(write(), 'countersign.safeTxHash', pad('0xab'))],
    ['ours, of another chain', changed(write(), 'countersign.chainId', 10)],
    [
      'Base, another message',
      JSON.stringify({
        ...JSON.parse(write({})),
        countersign: undefined,
        expectedDomainAndMessageHashes: { domainHash: place.domainHash, messageHash: pad('0xcd') },
      }),
    ],
    [
      'Base, another Safe',
      JSON.stringify({
        ...JSON.parse(write({})),
        countersign: undefined,
        expectedDomainAndMessageHashes: { domainHash: pad('0xbc'), messageHash: place.messageHash },
      }),
    ],
    ['Markdown', keys.replace(place.messageHash, pad('0xcd'))],
    ['Markdown, halves of two Safes', rawSlots.replace(place.domainHash, pad('0xbc'))],
    ['Markdown without hashes', keys.replaceAll(/> .*\n/g, '')],
    ['nothing', ''],
  ])('refuses what is for another transaction: %s', (_, text) => {
    expect(reasonOf(text)).toBe('other')
  })

  it.each<[string, unknown]>([
    ['version', 2],
    ['covers', 'slots'],
    ['covers', ['everything']],
    ['assets', null],
    ['assets', [null]],
    ['assets.0.amount', '-1'],
    ['assets.0.amount', 5],
    ['assets.0.amount', '9'.repeat(79)],
    ['assets.0.tokenId', 'x'],
    ['assets.0.isOut', 'yes'],
    ['assets.0.token', '0x123'],
    ['approvals.0.spender', `${proxy}00`],
    ['slots.0.slot', '0x05'],
    ['slots.0.before', null],
    ['slots', { __proto__: [] }],
  ])('refuses a %s of %j', (path, value) => {
    expect(reasonOf(changed(write(), `countersign.${path}`, value))).toBe('field')
  })

  it('refuses a signature that is too long, or no hex', () => {
    for (const signature of ['0x12', `0x${'11'.repeat(66)}`, 'words'].slice(1))
      expect(reasonOf(changed(changed(write(), 'countersign.author', proxy), 'countersign.signature', signature))).toBe(
        'field',
      )
  })

  it.each([
    ['prototype names', '{"__proto__":{"countersign":{"version":1}},"constructor":{}}', 'field'],
    ['half a file', write().slice(0, 200), 'json'],
    ['ten megabytes', `{"cmd":"${'x'.repeat(10_000_000)}"}`, 'long'],
    ['a slot without an end', keys.replace('**After:** `105`', ''), 'line'],
    ['a value that is none', keys.replace('`104`', '`lots`'), 'line'],
    ['a value twice', keys.replace('**After:** `105`', '**Before:** `105`'), 'line'],
    ['a value in front of its slot', keys.replace(`- **Key:**          \`${pad('0x05')}\``, ''), 'line'],
    [
      'a difference that is neither allowed nor not',
      writeEffectsMarkdown(place, open).replace('`true`', '`yes`'),
      'line',
    ],
    ['two words on a difference', writeEffectsMarkdown(place, open).replace(/\n.*`true`/, '$&$&'), 'line'],
    ['no change at all', keys.slice(0, keys.indexOf('- **Key')), 'empty'],
    ['a thousand slots', changed(write(), 'countersign.slots', Array(1_000).fill(slots[0])), 'many'],
  ])('refuses %s', (_, text, reason) => {
    expect(text.length > MAX_EFFECTS_FILE).toBe(reason === 'long')
    expect(reasonOf(text)).toBe(reason)
  })

  it.each(['**key:** ', '`', '>', '# '])('works in proportion to the length of a line of %j', (mark) => {
    const most = Math.floor((MAX_EFFECTS_FILE - keys.length - 1) / mark.length)
    const growth = growthOf((units) => reasonOf(`${keys}\n${mark.repeat(units)}`), most)
    expect(growth).toBeLessThan(8)
  })
})
