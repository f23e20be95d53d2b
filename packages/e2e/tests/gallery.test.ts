import { testContracts } from '@countersign/devnet'
import { encodeMultiSend, type newSafeTx, officialDeployment } from '@countersign/safe-core'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, confirmButton, type Owner, openTransaction } from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { addSafeByScript, proposeByScript, type SafeAt, type ScriptOwner, signInByScript } from '../src/script-owner.ts'
import { team } from '../src/team.ts'

// Thefts against the contracts of the devnet, as the owner who is to sign next sees them.

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function burn(uint256 amount)',
  'function enableModule(address module)',
  'function setGuard(address guard)',
  'function setFallbackHandler(address handler)',
  'function changeThreshold(uint256 threshold)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function grantRole(bytes32 role, address account)',
  'function transferOwnership(address newOwner)',
  'function signMessage(bytes data)',
  'function approveHash(bytes32 hashToApprove)',
  'function setApprovalForAll(address operator, bool approved)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])
const data = (functionName: string, ...args: unknown[]): Hex => encodeFunctionData({ abi, functionName, args } as never)
const { erc20, erc721, slotZeroOverwrite } = testContracts
const thief: Address = team.stranger.address
const rawHash: Hex = `0x${'5a'.repeat(32)}`
const approved: Hex = `0x${'ab'.repeat(32)}`
const library = (kind: 'sign-message-lib' | 'multi-send-call-only') =>
  officialDeployment(kind, '1.4.1')?.address ?? '0x'

type Fields = Omit<Parameters<typeof newSafeTx>[0], 'nonce'>
type Theft = [
  name: string,
  verdict: 'do-not-sign' | 'matches-with-warnings',
  finding: string,
  of: (safe: Address) => Fields,
]

const gallery: Theft[] = [
  [
    'code that overwrites slot 0, dressed as a transfer',
    'do-not-sign',
    'DC-UNKNOWN',
    () => ({ to: slotZeroOverwrite.address, data: data('transfer', thief, 0n), operation: 1 }),
  ],
  [
    'a refund inside another Safe’s transaction',
    'do-not-sign',
    'NESTED-REFUND',
    (safe) => ({
      to: safe,
      data: data('execTransaction', thief, 1n, '0x', 0, 0n, 990_000n, 10n ** 14n, zeroAddress, thief, '0x'),
    }),
  ],
  [
    'a refund to a co-owner by baseGas',
    'do-not-sign',
    'GAS-REFUND',
    () => ({ to: thief, value: 1n, baseGas: 1_000_000n, gasPrice: 10n ** 12n, refundReceiver: team.anna.address }),
  ],
  [
    'an unlimited approval to a private key',
    'matches-with-warnings',
    'APPROVE-UNLIMITED',
    () => ({ to: erc20.address, data: data('approve', thief, maxUint256) }),
  ],
  [
    'the approval of item 0, which looks like an amount',
    'matches-with-warnings',
    'NFT-APPROVE',
    () => ({ to: erc721.address, data: data('approve', thief, 0n) }),
  ],
  [
    'an operator for every item',
    'matches-with-warnings',
    'APPROVE-ALL-NFT',
    () => ({ to: erc721.address, data: data('setApprovalForAll', thief, true) }),
  ],
  [
    'tokens that are burnt',
    'matches-with-warnings',
    'TOKEN-MOVE',
    () => ({ to: erc20.address, data: data('burn', 1_000_000n) }),
  ],
  [
    'nearly all ether, in a batch',
    'matches-with-warnings',
    'VALUE-DRAIN',
    () => ({
      to: library('multi-send-call-only'),
      operation: 1,
      data: encodeMultiSend([{ to: thief, value: parseEther('4.9'), data: '0x' }]),
    }),
  ],
  [
    '32 bytes signed on the chain',
    'do-not-sign',
    'MSG-RAW-HASH',
    () => ({ to: library('sign-message-lib'), data: data('signMessage', rawHash), operation: 1 }),
  ],
  [
    'the hash of another Safe’s transaction',
    'do-not-sign',
    'NESTED-APPROVE',
    (safe) => ({ to: safe, data: data('approveHash', approved) }),
  ],
  ['a module', 'do-not-sign', 'MODULE-ENABLE', (safe) => ({ to: safe, data: data('enableModule', erc20.address) })],
  ['a guard', 'do-not-sign', 'GUARD-SET', (safe) => ({ to: safe, data: data('setGuard', erc20.address) })],
  [
    'a handler that signs for the Safe',
    'do-not-sign',
    'HANDLER-UNKNOWN',
    (safe) => ({ to: safe, data: data('setFallbackHandler', erc20.address) }),
  ],
  ['one key alone', 'do-not-sign', 'THRESHOLD-DOWN', (safe) => ({ to: safe, data: data('changeThreshold', 1n) })],
  [
    'the role over roles',
    'do-not-sign',
    'ROLE-CHANGE',
    () => ({ to: erc20.address, data: data('grantRole', zeroHash, thief) }),
  ],
  [
    'the ownership of a contract',
    'do-not-sign',
    'OWNERSHIP-TRANSFER',
    () => ({ to: erc20.address, data: data('transferOwnership', thief) }),
  ],
  ['ether to the zero address', 'matches-with-warnings', 'TOKEN-TO-ITSELF', () => ({ to: zeroAddress, value: 1n })],
]

let scene: Scene
let anna: ScriptOwner
let bruno: Owner
let safe: SafeAt
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  bruno = await scene.owner(team.bruno.privateKey)
  // The page asks what these two stand for, and the server knows of nothing.
  bruno.watch.expect(/^response: 404 \/api\/chains\/\d+\/messages\/0x[0-9a-f]{64}( MESSAGE_NOT_FOUND)?$/)
  for (const hash of [rawHash, approved])
    bruno.watch.expect(
      new RegExp(`^response: 404 /api/chains/${safe.chainId}/transactions/${hash}( TRANSACTION_NOT_FOUND)?$`),
    )
  await comeBack(bruno)
})
afterAll(() => scene?.close())

describe('the gallery of thefts', () => {
  test.each(gallery)('%s: %s, and %s names it', async (name, verdict, finding, of) => {
    const nonce = BigInt(gallery.findIndex(([title]) => title === name))
    const { safeTxHash } = await proposeByScript(anna, safe, { ...of(safe.safeAddress), nonce })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.locator(`[data-verdict="${verdict}"]`).first().waitFor()
    expect(await bruno.page.locator(`[data-finding="${finding}"]`).count()).toBeGreaterThan(0)
    // No button before an answer, and none at all where there is no way.
    const button = confirmButton(bruno.page)
    if ((await button.count()) > 0) expect(await button.isEnabled()).toBe(false)
  })
})
