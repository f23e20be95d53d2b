import type { SimulatedCall, SimulatedLog } from '@countersign/review'
import { type Address, getAddress, type Hex, hexToBigInt, slice } from 'viem'
import { effectiveLogs, flattenTree } from './call-tree.ts'

/** A balance that may have changed. */
export type BalanceHint = {
  token: Address
  account: Address
  standard: 'erc20' | 'erc721' | 'erc1155'
  tokenId: bigint | null
  /** Whether a log says so; otherwise somebody only called. */
  isLogged: boolean
}

/** An approval that may have changed. */
export type ApprovalHint = {
  token: Address
  owner: Address
  spender: Address
  standard: 'erc20' | 'erc721' | 'operator' | 'permit2'
  tokenId: bigint | null
}

export const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
} as const

/**
 * Where tokens may have moved: by what logs say and calls are named, and the Safe's balance in every contract that was
 * called. Only a hint of what to ask: each balance is then read before and after.
 */
export function balanceHints(root: SimulatedCall, safe: Address | null): BalanceHint[] {
  const found = new Map<string, BalanceHint>()
  const add = (hint: BalanceHint) => {
    const key = `${hint.token} ${hint.account} ${hint.standard} ${hint.tokenId ?? ''}`
    if (!found.get(key)?.isLogged) found.set(key, hint)
  }
  for (const log of effectiveLogs(root)) for (const hint of loggedMoves(log)) add(hint)
  const calls = flattenTree(root).filter(({ failure }) => failure === null)
  for (const call of calls) for (const hint of calledMoves(call)) add(hint)
  if (safe !== null) {
    const contracts = new Set(calls.filter(({ operation }) => operation === 'call').map(({ to }) => to))
    contracts.delete(safe)
    for (const token of contracts) add({ token, account: safe, standard: 'erc20', tokenId: null, isLogged: false })
  }
  return [...found.values()]
}

/** Where approvals may have changed, by logs and by the names of calls. */
export function approvalHints(root: SimulatedCall): ApprovalHint[] {
  const found = new Map<string, ApprovalHint>()
  const add = (hint: ApprovalHint) => {
    const { token, owner, spender, standard, tokenId } = hint
    found.set(`${token} ${owner} ${spender} ${standard} ${tokenId ?? ''}`, hint)
  }
  for (const log of effectiveLogs(root)) for (const hint of loggedApprovals(log)) add(hint)
  for (const call of flattenTree(root)) if (call.failure === null) for (const hint of calledApprovals(call)) add(hint)
  return [...found.values()]
}

function loggedMoves({ address: token, topics: [name, ...indexed], data }: SimulatedLog): BalanceHint[] {
  const both = (
    from: Hex | undefined,
    to: Hex | undefined,
    what: Omit<BalanceHint, 'token' | 'account' | 'isLogged'>,
  ) =>
    [addressIn(from), addressIn(to)].flatMap((account) =>
      account === null ? [] : [{ token, account, ...what, isLogged: true }],
    )
  const [first, second, third] = indexed
  if (name === topics.transfer && indexed.length === 2) return both(first, second, { standard: 'erc20', tokenId: null })
  if (name === topics.transfer && third) {
    return both(first, second, { standard: 'erc721', tokenId: hexToBigInt(third) })
  }
  if (name === topics.transferSingle && indexed.length === 3) {
    return both(second, third, { standard: 'erc1155', tokenId: numberAt(data, 0) })
  }
  if (name === topics.transferBatch && indexed.length === 3) {
    return listAt(data, 0).flatMap((tokenId) => both(second, third, { standard: 'erc1155', tokenId }))
  }
  return []
}

function calledMoves({ to: token, from, input }: SimulatedCall): BalanceHint[] {
  const data: Hex = `0x${input.slice(10)}`
  const of = (accounts: (Address | null)[], what: Omit<BalanceHint, 'token' | 'account' | 'isLogged'>) =>
    accounts.flatMap((account) => (account === null ? [] : [{ token, account, ...what, isLogged: false }]))
  switch (input.slice(0, 10)) {
    // transfer(address,uint256)
    case '0xa9059cbb':
      return of([from, addressAt(data, 0)], { standard: 'erc20', tokenId: null })
    // transferFrom(address,address,uint256)
    case '0x23b872dd':
      return of([addressAt(data, 0), addressAt(data, 1)], { standard: 'erc20', tokenId: null })
    // safeTransferFrom(address,address,uint256) and the same with bytes
    case '0x42842e0e':
    case '0xb88d4fde':
      return of([addressAt(data, 0), addressAt(data, 1)], { standard: 'erc721', tokenId: numberAt(data, 2) })
    // safeTransferFrom(address,address,uint256,uint256,bytes)
    case '0xf242432a':
      return of([addressAt(data, 0), addressAt(data, 1)], { standard: 'erc1155', tokenId: numberAt(data, 2) })
    default:
      return []
  }
}

function loggedApprovals({ address: token, topics: [name, ...indexed] }: SimulatedLog): ApprovalHint[] {
  const [owner, spender] = [addressIn(indexed[0]), addressIn(indexed[1])]
  const [, , third] = indexed
  if (owner === null || spender === null) return []
  if (name === topics.approval && indexed.length === 2)
    return [{ token, owner, spender, standard: 'erc20', tokenId: null }]
  if (name === topics.approval && third)
    return [{ token, owner, spender, standard: 'erc721', tokenId: hexToBigInt(third) }]
  if (name === topics.approvalForAll) return [{ token, owner, spender, standard: 'operator', tokenId: null }]
  const third2 = addressIn(third)
  if (name === topics.permit2Approval && token === PERMIT2 && third2 !== null)
    return [{ token: spender, owner, spender: third2, standard: 'permit2', tokenId: null }]
  return []
}

function calledApprovals({ to: token, from, input }: SimulatedCall): ApprovalHint[] {
  const data: Hex = `0x${input.slice(10)}`
  const allowance = (owner: Address | null, spender: Address | null, of = token): ApprovalHint[] =>
    owner === null || spender === null ? [] : [{ token: of, owner, spender, standard: 'erc20', tokenId: null }]
  switch (input.slice(0, 10)) {
    // approve(address,uint256), increaseAllowance and decreaseAllowance of the same
    case '0x095ea7b3':
    case '0x39509351':
    case '0xa457c2d7':
      return allowance(from, addressAt(data, 0))
    // permit(address,address,uint256,uint256,uint8,bytes32,bytes32), and that of DAI
    case '0xd505accf':
    case '0x8fcbaf0c':
      return allowance(addressAt(data, 0), addressAt(data, 1))
    // transferFrom(address,address,uint256) uses one up
    case '0x23b872dd':
      return allowance(addressAt(data, 0), from)
    // setApprovalForAll(address,bool)
    case '0xa22cb465':
      return allowance(from, addressAt(data, 0)).map((claim) => ({ ...claim, standard: 'operator' }))
    // approve(address,address,uint160,uint48) of Permit2
    case '0x87517c45':
      return token === PERMIT2
        ? allowance(from, addressAt(data, 1), addressAt(data, 0) ?? token).map((claim) => ({
            ...claim,
            standard: 'permit2',
          }))
        : []
    default:
      return []
  }
}

function wordAt(data: Hex, index: number): Hex | null {
  const word = data.slice(2 + 64 * index, 66 + 64 * index)
  return word.length === 64 ? `0x${word}` : null
}

function numberAt(data: Hex, index: number): bigint {
  return hexToBigInt(wordAt(data, index) ?? '0x0')
}

function addressAt(data: Hex, index: number): Address | null {
  return addressIn(wordAt(data, index) ?? undefined)
}

function addressIn(word: Hex | undefined): Address | null {
  return word === undefined || !/^0x0{24}/.test(word) ? null : getAddress(slice(word, 12))
}

/** More than are asked at all: a list that is longer is cut there, and the result says so. */
const MAX_ITEMS = 2_001

/** Numbers of an array whose offset stands at a word. */
function listAt(data: Hex, index: number): bigint[] {
  const start = Number(numberAt(data, index) / 32n)
  const length = Math.min(MAX_ITEMS, Number(numberAt(data, start)))
  return Array.from({ length }, (_, at) => numberAt(data, start + 1 + at))
}
