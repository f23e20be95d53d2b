import type { Address } from 'viem'

/**
 * The contract that each chain's routers take for its wrapped native coin, by chain id. Of a chain that is not here
 * the operator's list of tokens says it.
 */
export const wrappedCoins: Readonly<Record<number, Address>> = {
  1: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  10: '0x4200000000000000000000000000000000000006',
  56: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  100: '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d',
  137: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  8453: '0x4200000000000000000000000000000000000006',
  42161: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  43114: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
}
