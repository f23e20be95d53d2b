import { enTransactions } from '../text/en-transactions.ts'
import { addTexts } from '../text/text.ts'

// The texts of these screens are more than half of the catalogue, and come with the screens.
addTexts('en', enTransactions)

export { isTextKey, text, textPieces } from '../text/text.ts'
