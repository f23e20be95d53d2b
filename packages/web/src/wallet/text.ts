import { needTexts } from '../text/text.ts'

// Texts of the wallet dialog, of a person's sessions and of the demo wallet's questions. The first page has its own.
needTexts('wallet-dialog', 'walletconnect', 'safe-app')

export { text } from '../text/text.ts'
