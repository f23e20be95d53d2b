import { concat, encodeAbiParameters, type Hex, size, toFunctionSelector, toHex } from 'viem'

/** A contract that stands in for one of another chain: what it says of itself, and whether it has a router's function. */
export type StandIn = { symbol?: string; decimals?: number; collection?: boolean; givesOut?: boolean }

/**
 * Gives the runtime code of a contract that says these things of itself, lets nobody take anything, and answers 1 to
 * every other call with arguments. Without arguments, it refuses all that it does not know.
 */
export function standInCode({ symbol, decimals = 18, collection = false, givesOut = false }: StandIn): Hex {
  const words: [string, Hex][] = [
    ['balanceOf(address)', word(10n ** BigInt(9 + decimals))],
    ['allowance(address,address)', word(0n)],
    ['supportsInterface(bytes4)', word(0n)],
  ]
  if (givesOut) words.push(['refundETH()', '0x'])
  const ofToken: [string, Hex][] =
    symbol === undefined
      ? []
      : [
          ['symbol()', textOf(symbol)],
          ['name()', textOf(symbol)],
          ['decimals()', word(BigInt(decimals))],
        ]
  return collection ? codeOf([['supportsInterface(bytes4)', word(1n)]]) : codeOf([...words, ...ofToken])
}

const word = (value: bigint): Hex => toHex(value, { size: 32 })
const textOf = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text])
const two = (value: number): Hex => toHex(value, { size: 2 })

/** Code that answers each of these functions with these bytes. */
function codeOf(answers: [string, Hex][]): Hex {
  // The selector: the first four bytes of the calldata.
  const start: Hex = '0x5f3560e01c'
  const branchSize = 11
  // CALLDATASIZE < 5: revert(0, 0). Else return the word 1.
  const afterBranches = size(start) + branchSize * answers.length
  const otherwise = concat(['0x60053610', '0x61', two(afterBranches + 16), '0x57', '0x60015f5260205ff3', '0x5b5f5ffd'])
  const bodySize = 16
  const bodiesAt = afterBranches + size(otherwise)
  const dataAt = bodiesAt + bodySize * answers.length
  const branches = answers.map(([signature], index) =>
    // DUP1 PUSH4 selector EQ PUSH2 body JUMPI
    concat(['0x8063', toFunctionSelector(signature), '0x1461', two(bodiesAt + bodySize * index), '0x57']),
  )
  let offset = dataAt
  const bodies = answers.map(([, data]) => {
    const at = offset
    offset += size(data)
    // JUMPDEST, CODECOPY of the answer, RETURN
    return concat(['0x5b61', two(size(data)), '0x61', two(at), '0x5f39', '0x61', two(size(data)), '0x5ff3', '0x5b5b'])
  })
  return concat([start, ...branches, otherwise, ...bodies, ...answers.map(([, data]) => data)])
}
