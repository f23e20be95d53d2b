/** Wallets that many people have, by the reverse domain names that they announce themselves with (EIP-6963). */
export const knownWallets: readonly { name: string; rdns: readonly string[] }[] = [
  { name: 'MetaMask', rdns: ['io.metamask', 'io.metamask.flask', 'io.metamask.mobile', 'io.metamask.mmi'] },
  { name: 'Coinbase Wallet', rdns: ['com.coinbase.wallet'] },
  { name: 'Rabby', rdns: ['io.rabby'] },
  { name: 'Frame', rdns: ['sh.frame'] },
  { name: 'Brave Wallet', rdns: ['com.brave.wallet'] },
  { name: 'Rainbow', rdns: ['me.rainbow'] },
  { name: 'Phantom', rdns: ['app.phantom'] },
  { name: 'Trust Wallet', rdns: ['com.trustwallet.app'] },
  { name: 'OKX Wallet', rdns: ['com.okex.wallet'] },
  { name: 'Zerion', rdns: ['io.zerion.wallet'] },
  { name: 'Bitget Wallet', rdns: ['com.bitget.web3'] },
  { name: 'Uniswap', rdns: ['org.uniswap.app'] },
]

const known = new Set(knownWallets.flatMap(({ rdns }) => rdns))

export function isKnownRdns(rdns: string): boolean {
  return known.has(rdns)
}
