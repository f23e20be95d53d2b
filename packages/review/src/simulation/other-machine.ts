/** Chains whose accounts hold code of another machine than an EVM. One that is not named here is taken for an EVM. */
const machines: ReadonlyMap<number, string> = new Map(
  [324, 300, 232, 2_741, 11_124, 50_104, 531_050_104, 61_166, 978_658].map((chainId) => [chainId, 'ZKsync']),
)

/**
 * The name of a chain's machine where that is no EVM, so that nothing can be run in the page; null otherwise. It depends on
 * the chain's id alone: nothing that is on a chain can make it another.
 *
 * @example
 * otherMachine(324) // 'ZKsync'
 * otherMachine(42161) // null: Arbitrum is an EVM with extras
 */
export function otherMachine(chainId: number): string | null {
  return machines.get(chainId) ?? null
}
