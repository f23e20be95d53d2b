import { readFileSync } from 'node:fs'
import { requestNode, testContracts } from '@countersign/devnet'
import { type newSafeTx, officialDeployment } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  pad,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem'
import { team } from '../people/team.ts'

/*
 * Thefts of the table in `packages/review/vectors/verdicts` that the contracts of the devnet can stand for. Each ends
 * with a verdict, and says on the page what is at fault.
 */

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 addedValue)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
  'function send(address to, uint256 amount, bytes data)',
  'function authorizeOperator(address operator)',
  'function burn(uint256 amount)',
  'function deposit(uint256 assets, address receiver)',
  'function enableModule(address module)',
  'function setGuard(address guard)',
  'function setFallbackHandler(address handler)',
  'function changeThreshold(uint256 threshold)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function changeMasterCopy(address masterCopy)',
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
  'function grantRole(bytes32 role, address account)',
  'function transferOwnership(address newOwner)',
  'function upgradeToAndCall(address newImplementation, bytes data)',
  'function signMessage(bytes data)',
  'function approveHash(bytes32 hashToApprove)',
  'function setApprovalForAll(address operator, bool approved)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])
const data = (functionName: string, ...args: unknown[]): Hex => encodeFunctionData({ abi, functionName, args } as never)
const { erc20, erc721, slotZeroOverwrite } = testContracts
const trojan = slotZeroOverwrite.address
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const official = (kind: Parameters<typeof officialDeployment>[0]) => officialDeployment(kind, '1.4.1')?.address ?? '0x'

/** 32 bytes of which nobody knows what they stand for. */
const unknownHashes: { message: Hex; transaction: Hex } = {
  message: `0x${'5a'.repeat(32)}`,
  transaction: `0x${'ab'.repeat(32)}`,
}

type Fields = Omit<Parameters<typeof newSafeTx>[0], 'nonce'>

/**
 * Where it happens: the Safe, another one whose only owner it is, one that thieves have settled in, with a guard of theirs
 * that lets all pass, and one whose co-owner's account runs foreign code.
 */
export type Stage = { safe: Address; vault: Address; settled: Address; guard: Address; delegated: Address }

/** A theft, and the words that have to be on the page: in the finding, and beside the button where it can be answered. */
type Theft = {
  verdict: 'do-not-sign' | 'matches-with-warnings'
  finding: string
  names: (stage: Stage) => string[]
  /** The Safe that it is proposed to, where it is another one. */
  at?: 'settled' | 'delegated'
} & ({ transaction: (stage: Stage) => Fields } | { message: (stage: Stage) => string })

const thief = () => team.stranger.address
const batch = (...calls: { to: Address; value?: bigint; data?: Hex }[]): Fields => ({
  to: official('multi-send-call-only'),
  operation: 1,
  data: encodeMultiSend(calls.map((call) => ({ value: 0n, data: '0x', ...call }))),
})
const inVault = ({ safe, vault }: Stage, to: Address, inner: Hex): Fields => ({
  to: vault,
  // The Safe is its owner and the caller, which the vault counts.
  data: data('execTransaction', to, 0n, inner, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, approvalOf(safe)),
})
const approvalOf = (owner: Address): Hex => concat([pad(owner), zeroHash, '0x01'])
/** An account that a sweeper's code runs in, by EIP-7702. */
export const sweptAccount: Address = '0x5fe77ed000000000000000000000000000005fe7'
/** Code of an account that was handed to a contract. @see https://eips.ethereum.org/EIPS/eip-7702 */
export const delegationTo = (contract: Address): Hex => concat(['0xef0100', contract])

/** Code of nobody's release that is made the module and the handler of a Safe, and a guard that lets all pass. */
export async function settleIn(rpcUrl: string, { settled, guard }: Pick<Stage, 'settled' | 'guard'>): Promise<void> {
  // It answers 1 whatever it is asked.
  await requestNode(rpcUrl, 'anvil_setCode', guard, '0x600160005260206000f3')
  await requestNode(rpcUrl, 'anvil_impersonateAccount', settled)
  for (const call of [data('enableModule', trojan), data('setFallbackHandler', trojan), data('setGuard', guard)])
    await requestNode(rpcUrl, 'eth_sendTransaction', { from: settled, to: settled, data: call, gas: '0x493e0' })
  await requestNode(rpcUrl, 'anvil_setCode', sweptAccount, delegationTo(trojan))
  // No block vouches for code that came outside of one.
  await requestNode(rpcUrl, 'evm_mine')
}

/** Another account with so many of the first and last digits of this one. */
const lookalike = (address: Address, first: number, last: number): Address =>
  getAddress(`0x${address.slice(2, 2 + first).padEnd(40 - last, '7')}${address.slice(-last)}`.toLowerCase() as Address)
const newSafe = (setup: readonly unknown[], singleton = official('singleton')): Fields => ({
  to: official('factory'),
  data: data('createProxyWithNonce', singleton, data('setup', ...setup), 1n),
})
const setupOf = (owners: Address[], threshold: bigint, to: Address = zeroAddress, call: Hex = '0x') =>
  [owners, threshold, to, call, official('handler'), zeroAddress, 0n, zeroAddress] as const

/** A message of the table, by its name there. */
function written(name: string): (stage: Stage) => string {
  return ({ safe }) => {
    const file = new URL('../../../review/vectors/verdicts/attack-messages.json', import.meta.url)
    const shapes: { name: string; message?: unknown }[] = JSON.parse(readFileSync(file, 'utf8'))
    const found = shapes.find((shape) => shape.name === name)?.message
    if (found === undefined) throw new Error(`There is no message \`${name}\`.`)
    return JSON.stringify(found)
      .replaceAll('"chainId":1,', '"chainId":31337,')
      .replaceAll('$Safe', safe)
      .replaceAll('$Attacker', thief())
      .replaceAll(/\$\w+/g, erc20.address)
  }
}

const known = (fields: Fields) => () => fields

export const gallery: Record<string, Theft> = {
  'code that overwrites slot 0, dressed as a transfer': {
    verdict: 'do-not-sign',
    finding: 'DC-UNKNOWN',
    names: () => [trojan],
    transaction: () => ({ to: trojan, data: data('transfer', thief(), 0n), operation: 1 }),
  },
  'code run as the Safe by a function that nobody knows': {
    verdict: 'do-not-sign',
    finding: 'DC-UNKNOWN',
    names: () => [trojan],
    transaction: known({ to: trojan, data: '0x804e1f0a', operation: 1 }),
  },
  'a batch of anybody’s, run as the Safe': {
    verdict: 'do-not-sign',
    finding: 'DC-UNKNOWN',
    names: () => [MULTICALL3],
    transaction: () => ({
      to: MULTICALL3,
      operation: 1,
      data: data('aggregate3', [
        { target: erc20.address, allowFailure: false, callData: data('transfer', thief(), 1n) },
      ]),
    }),
  },
  'a library of the Safe with a function that it is not for': {
    verdict: 'do-not-sign',
    finding: 'DC-WRONG-SELECTOR',
    names: () => [official('multi-send')],
    transaction: () => ({ to: official('multi-send'), data: '0x12345678', operation: 1 }),
  },
  'a refund inside another Safe’s transaction': {
    verdict: 'do-not-sign',
    finding: 'NESTED-REFUND',
    names: () => [thief(), 'cannot calculate a maximum'],
    transaction: ({ vault }) => ({
      to: vault,
      data: data('execTransaction', thief(), 1n, '0x', 0, 0n, 990_000n, 10n ** 14n, zeroAddress, thief(), '0x'),
    }),
  },
  'a refund to a co-owner by baseGas': {
    verdict: 'do-not-sign',
    finding: 'GAS-REFUND',
    names: () => [team.anna.address],
    transaction: () => ({
      to: thief(),
      value: 1n,
      baseGas: 1_000_000n,
      gasPrice: 10n ** 12n,
      refundReceiver: team.anna.address,
    }),
  },
  'a refund behind a cancellation': {
    verdict: 'do-not-sign',
    finding: 'GAS-REFUND',
    names: () => [thief()],
    transaction: ({ safe }) => ({
      to: safe,
      baseGas: 1_000_000n,
      gasPrice: 10n ** 12n,
      refundReceiver: thief(),
    }),
  },
  'an unlimited approval to a private key': {
    verdict: 'matches-with-warnings',
    finding: 'APPROVE-UNLIMITED',
    names: () => [thief(), 'TUSD', 'unlimited'],
    transaction: () => ({ to: erc20.address, data: data('approve', thief(), maxUint256) }),
  },
  'an approval of just under half of the greatest number': {
    verdict: 'matches-with-warnings',
    finding: 'APPROVE-UNLIMITED',
    names: () => [thief(), 'TUSD', 'unlimited'],
    transaction: () => ({ to: erc20.address, data: data('approve', thief(), 2n ** 255n - 1n) }),
  },
  'an allowance that is raised without limit': {
    verdict: 'matches-with-warnings',
    finding: 'APPROVE-UNLIMITED',
    names: () => [thief(), 'TUSD', 'unlimited'],
    transaction: () => ({ to: erc20.address, data: data('increaseAllowance', thief(), maxUint256) }),
  },
  'an approval of far more than there is': {
    verdict: 'matches-with-warnings',
    finding: 'APPROVE-OVER-BALANCE',
    names: () => [trojan, '1,000,000,000,000'],
    transaction: () => ({ to: erc20.address, data: data('approve', trojan, 10n ** 18n) }),
  },
  'all of a token approved, and a deposit into unknown code': {
    verdict: 'matches-with-warnings',
    finding: 'VALUE-DRAIN',
    names: () => ['TUSD'],
    transaction: () =>
      batch(
        { to: erc20.address, data: data('approve', trojan, 1_000_000_000n) },
        { to: trojan, data: data('deposit', 1_000_000_000n, thief()) },
      ),
  },
  'the approval of item 0, which looks like an amount': {
    verdict: 'matches-with-warnings',
    finding: 'NFT-APPROVE',
    names: () => [thief(), erc721.address],
    transaction: () => ({ to: erc721.address, data: data('approve', thief(), 0n) }),
  },
  'an operator for every item': {
    verdict: 'matches-with-warnings',
    finding: 'APPROVE-ALL-NFT',
    names: () => [thief(), erc721.address],
    transaction: () => ({ to: erc721.address, data: data('setApprovalForAll', thief(), true) }),
  },
  'tokens that are burnt': {
    verdict: 'matches-with-warnings',
    finding: 'TOKEN-MOVE',
    names: () => ['burn', '1'],
    transaction: known({ to: erc20.address, data: data('burn', 1_000_000n) }),
  },
  'tokens that Permit2 takes': {
    verdict: 'matches-with-warnings',
    finding: 'TOKEN-MOVE',
    names: () => [thief(), 'transferFrom'],
    transaction: ({ safe }) => ({ to: trojan, data: data('transferFrom', safe, thief(), 900n, erc20.address) }),
  },
  'tokens sent by ERC-777': {
    verdict: 'matches-with-warnings',
    finding: 'TOKEN-MOVE',
    names: () => [thief(), 'send'],
    transaction: () => ({ to: erc20.address, data: data('send', thief(), 900n, '0x') }),
  },
  'an operator of ERC-777': {
    verdict: 'matches-with-warnings',
    finding: 'SPENDING-RIGHT',
    names: () => [thief()],
    transaction: () => ({ to: erc20.address, data: data('authorizeOperator', thief()) }),
  },
  'nearly all ether, in a batch': {
    verdict: 'matches-with-warnings',
    finding: 'VALUE-DRAIN',
    names: () => ['4.9', 'ETH'],
    transaction: () => batch({ to: thief(), value: parseEther('4.9') }),
  },
  'ether to the zero address': {
    verdict: 'matches-with-warnings',
    finding: 'TOKEN-TO-ITSELF',
    names: () => [zeroAddress],
    transaction: known({ to: zeroAddress, value: 1n }),
  },
  'tokens to their own contract': {
    verdict: 'matches-with-warnings',
    finding: 'TOKEN-TO-ITSELF',
    names: () => [erc20.address],
    transaction: known({ to: erc20.address, data: data('transfer', erc20.address, 900n) }),
  },
  'a look-alike of an owner by 3 and 5 digits': {
    verdict: 'matches-with-warnings',
    finding: 'ADDR-LOOKALIKE',
    names: () => [lookalike(team.anna.address, 3, 5), team.anna.address],
    transaction: () => ({ to: lookalike(team.anna.address, 3, 5), value: 1n }),
  },
  'a look-alike by 8 and 8 digits of an account in the same batch': {
    verdict: 'matches-with-warnings',
    finding: 'ADDR-LOOKALIKE',
    names: () => [lookalike(team.relayer.address, 8, 8), team.relayer.address],
    transaction: () =>
      batch({ to: team.relayer.address, value: 1n }, { to: lookalike(team.relayer.address, 8, 8), value: 2n }),
  },
  'a look-alike in an argument': {
    verdict: 'matches-with-warnings',
    finding: 'ADDR-LOOKALIKE',
    names: () => [lookalike(team.bruno.address, 6, 6), team.bruno.address],
    transaction: () => ({ to: erc20.address, data: data('transfer', lookalike(team.bruno.address, 6, 6), 5n) }),
  },
  '32 bytes signed on the chain': {
    verdict: 'do-not-sign',
    finding: 'MSG-RAW-HASH',
    names: () => [unknownHashes.message],
    transaction: () => ({
      to: official('sign-message-lib'),
      operation: 1,
      data: data('signMessage', unknownHashes.message),
    }),
  },
  'the hash of another Safe’s transaction': {
    verdict: 'do-not-sign',
    finding: 'NESTED-APPROVE',
    names: ({ vault }) => [vault],
    transaction: ({ vault }) => ({ to: vault, data: data('approveHash', unknownHashes.transaction) }),
  },
  'a module': {
    verdict: 'do-not-sign',
    finding: 'MODULE-ENABLE',
    names: () => [erc20.address],
    transaction: ({ safe }) => ({ to: safe, data: data('enableModule', erc20.address) }),
  },
  'a guard': {
    verdict: 'do-not-sign',
    finding: 'GUARD-SET',
    names: () => [erc20.address],
    transaction: ({ safe }) => ({ to: safe, data: data('setGuard', erc20.address) }),
  },
  'a handler that signs for the Safe': {
    verdict: 'do-not-sign',
    finding: 'HANDLER-UNKNOWN',
    names: () => [erc20.address],
    transaction: ({ safe }) => ({ to: safe, data: data('setFallbackHandler', erc20.address) }),
  },
  'one key alone': {
    verdict: 'do-not-sign',
    finding: 'THRESHOLD-DOWN',
    names: () => ['1'],
    transaction: ({ safe }) => ({ to: safe, data: data('changeThreshold', 1n) }),
  },
  'two swaps that take the quorum': {
    verdict: 'do-not-sign',
    finding: 'OWNER-QUORUM-UNKNOWN',
    names: () => [thief(), team.relayer.address],
    transaction: ({ safe }) =>
      batch(
        { to: safe, data: data('swapOwner', SENTINEL, team.anna.address, thief()) },
        { to: safe, data: data('swapOwner', thief(), team.bruno.address, team.relayer.address) },
      ),
  },
  'one owner more, and one signature enough': {
    verdict: 'do-not-sign',
    finding: 'OWNER-QUORUM-UNKNOWN',
    names: () => [thief()],
    transaction: ({ safe }) => ({ to: safe, data: data('addOwnerWithThreshold', thief(), 1n) }),
  },
  'a swap in a nested Safe of one owner': {
    verdict: 'do-not-sign',
    finding: 'OWNER-QUORUM-UNKNOWN',
    names: () => [thief()],
    transaction: (stage) => inVault(stage, stage.vault, data('swapOwner', SENTINEL, stage.safe, thief())),
  },
  'a module for a nested Safe': {
    verdict: 'do-not-sign',
    finding: 'MODULE-ENABLE',
    names: ({ vault }) => [erc20.address, vault],
    transaction: (stage) => inVault(stage, stage.vault, data('enableModule', erc20.address)),
  },
  'the old way to another singleton': {
    verdict: 'do-not-sign',
    finding: 'SLOT0-CHANGE',
    names: () => [trojan],
    transaction: ({ safe }) => ({ to: safe, data: data('changeMasterCopy', trojan) }),
  },
  'the Safe set up again': {
    verdict: 'do-not-sign',
    finding: 'SETUP-AGAIN',
    names: ({ safe }) => [safe],
    transaction: ({ safe }) => ({ to: safe, data: data('setup', ...setupOf([thief()], 1n)) }),
  },
  'a new Safe with a foreign co-owner': {
    verdict: 'matches-with-warnings',
    finding: 'CREATION-OWNERS',
    names: () => [thief()],
    transaction: () => newSafe(setupOf([team.anna.address, team.bruno.address, thief()], 2n)),
  },
  'a new Safe that runs foreign code at once': {
    verdict: 'do-not-sign',
    finding: 'DEPLOY-SETUP-DELEGATE',
    names: () => [trojan],
    transaction: () => newSafe(setupOf([team.anna.address, team.bruno.address], 2n, trojan, '0x12345678')),
  },
  'the role over roles': {
    verdict: 'do-not-sign',
    finding: 'ROLE-CHANGE',
    names: () => [thief(), erc20.address, zeroHash],
    transaction: () => ({ to: erc20.address, data: data('grantRole', zeroHash, thief()) }),
  },
  'the ownership of a contract': {
    verdict: 'do-not-sign',
    finding: 'OWNERSHIP-TRANSFER',
    names: () => [thief(), erc20.address],
    transaction: () => ({ to: erc20.address, data: data('transferOwnership', thief()) }),
  },
  'an upgrade to unknown code': {
    verdict: 'do-not-sign',
    finding: 'PROXY-UPGRADE',
    names: () => [trojan],
    transaction: known({ to: erc20.address, data: data('upgradeToAndCall', trojan, '0x') }),
  },
  'a transaction of the Safe as a message': {
    verdict: 'do-not-sign',
    finding: 'MSG-IS-TX',
    names: () => ['SafeTx'],
    message: written('SafeTx as a message'),
  },
  'an operation of the module for ERC-4337': {
    verdict: 'do-not-sign',
    finding: 'MSG-IS-TX',
    names: () => ['SafeOp'],
    message: written('SafeOp of the ERC-4337 module'),
  },
  'a transaction of a module': {
    verdict: 'do-not-sign',
    finding: 'MSG-IS-TX',
    names: () => ['ModuleTx'],
    message: written('ModuleTx of a modifier'),
  },
  'code for an account by EIP-7702': {
    verdict: 'do-not-sign',
    finding: 'MSG-IS-TX',
    names: () => ['Authorization'],
    message: written('Authorization of EIP-7702'),
  },
  'a delegation of Aave': {
    verdict: 'matches-with-warnings',
    finding: 'PERMIT-SIGN',
    names: () => [thief(), 'DelegationWithSig'],
    message: written('DelegationWithSig of Aave'),
  },
  'an allowance of the module': {
    verdict: 'matches-with-warnings',
    finding: 'PERMIT-SIGN',
    names: () => [thief(), '0.0009 TUSD', 'AllowanceTransfer'],
    message: written('AllowanceTransfer of the AllowanceModule'),
  },
  'a permit for everything': {
    verdict: 'matches-with-warnings',
    finding: 'PERMIT-SIGN',
    names: () => [thief(), 'PermitForAll'],
    message: written('PermitForAll'),
  },
  'an order across chains': {
    verdict: 'matches-with-warnings',
    finding: 'PERMIT-SIGN',
    names: () => ['GaslessCrossChainOrder'],
    message: written('GaslessCrossChainOrder'),
  },
  'a limit order': {
    verdict: 'matches-with-warnings',
    finding: 'PERMIT-SIGN',
    names: () => [thief(), '0.0009 TUSD', 'LimitOrder'],
    message: written('LimitOrder of 0x'),
  },
  'a payment to an account that a sweeper runs in': {
    verdict: 'matches-with-warnings',
    finding: 'RECIPIENT-7702',
    names: () => [getAddress(sweptAccount), trojan],
    transaction: known({ to: sweptAccount, value: 1n }),
  },
  'a payment while a foreign module may take everything': {
    at: 'settled',
    verdict: 'matches-with-warnings',
    finding: 'MODULE-INSTALLED',
    names: () => [trojan],
    transaction: () => ({ to: thief(), value: 1n }),
  },
  'a payment under a foreign guard': {
    at: 'settled',
    verdict: 'matches-with-warnings',
    finding: 'GUARD-INSTALLED',
    names: ({ guard }) => [guard],
    transaction: () => ({ to: thief(), value: 2n }),
  },
  'a payment while foreign code says which signatures are the Safe’s': {
    at: 'settled',
    verdict: 'matches-with-warnings',
    finding: 'HANDLER-INSTALLED',
    names: () => [trojan],
    transaction: () => ({ to: thief(), value: 3n }),
  },
  'a payment by a Safe whose co-owner’s account runs foreign code': {
    at: 'delegated',
    verdict: 'matches-with-warnings',
    finding: 'OWNER-7702',
    names: () => [getAddress(sweptAccount), trojan],
    transaction: () => ({ to: thief(), value: 4n }),
  },
}
