/** Texts of pairing a phone by WalletConnect. */
export const enWalletConnect = {
  'walletConnect.unset':
    'This server has no relay for it. Whoever runs it can set a WalletConnect project id, or a relay of their own.',
  'walletConnect.scan.title': 'Scan with phone',
  'walletConnect.scan.hint': 'Open the wallet on your phone, choose its scanner, and point it at this code.',
  'walletConnect.scan.preparing': 'Preparing the code',
  'walletConnect.scan.picture': 'QR code for a wallet that speaks WalletConnect',
  'walletConnect.scan.expires': 'A new code in {time}',
  'walletConnect.scan.renewed': 'The code has expired. This is a new one.',
  'walletConnect.scan.copy': 'Copy link',
  'walletConnect.scan.copied': 'Link copied',
  'walletConnect.scan.copyFailed': 'Could not copy. Select the link and copy it by hand.',
  'walletConnect.scan.open': 'Open a wallet on this phone',
  'walletConnect.scan.openMetaMask': 'Open MetaMask',
} as const satisfies Record<string, string>
